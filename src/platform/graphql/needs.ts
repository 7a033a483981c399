import { Directive, Extensions } from 'type-graphql';
import type { Need } from '../access/need';
import { printNeed } from '../access/need';
import { databaseId } from './ids';

/** The user whose record a field is about, from its arguments and, on a field of an object, that object. */
export type OwnerOf = (args: Record<string, unknown>, root: unknown) => number | undefined;

/** What a field declares, kept in its extensions under `needs`. */
export interface DeclaredNeed {
  readonly need: Need;
  readonly owner: OwnerOf;
}

/** Name of the extension and of the printed directive. */
export const NEEDS = 'needs';

/**
 * Declares what a query, mutation, subscription or field needs. Root fields without it stop the start.
 * `owner` matters for needs that depend on whose record it is; by default the user named by `id` or `input.id`.
 */
export function Needs(
  need: Need,
  owner: OwnerOf = ownerNamedById,
): MethodDecorator & PropertyDecorator {
  const declared: DeclaredNeed = { need, owner };
  return (target: object, key: string | symbol, descriptor?: PropertyDescriptor) => {
    const parameters = [target, key, descriptor] as Parameters<MethodDecorator>;
    Extensions({ [NEEDS]: declared })(...parameters);
    Directive(`@needs(permission: ${JSON.stringify(printNeed(need))})`)(...parameters);
  };
}

const OUTLIVES = 'outlivesSession';

/**
 * For the subscription that tells a user that his session was ended: its events are checked against the session as it was when he
 * asked, since afterwards there is none.
 */
export function OutlivesSession(): MethodDecorator {
  return Extensions({ [OUTLIVES]: true });
}

/** Does this field still deliver when the session has ended? */
export const outlivesSession = (
  extensions: Readonly<Record<string, unknown>> | undefined,
): boolean => extensions?.[OUTLIVES] === true;

/** The need that a field of the built schema declares, if any. */
export function declaredNeed(
  extensions: Readonly<Record<string, unknown>> | undefined,
): DeclaredNeed | undefined {
  return extensions?.[NEEDS] as DeclaredNeed | undefined;
}

/** An id that does not parse names nobody: the guard then asks for the right to others' records, and the service refuses the id. */
function ownerNamedById(args: Record<string, unknown>): number | undefined {
  const input = args.input as { readonly id?: unknown } | undefined;
  const id = args.id ?? input?.id;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  try {
    return databaseId(id, 'User');
  } catch {
    return undefined;
  }
}
