import { Directive, Extensions } from 'type-graphql';
import type { Need } from '../../access/need';
import { printNeed } from '../../access/need';
import { findDatabaseId } from './ids';

/**
 * Returns the user who owns the record that a field is about, from its arguments and, for a field
 * of an object, that object.
 */
type OwnerOf = (args: Record<string, unknown>, root: unknown) => number | undefined;

/** The need of a field, kept in its extensions under `needs`. */
export interface DeclaredNeed {
  readonly need: Need;
  readonly owner: OwnerOf;
}

/** Name of the extension and of the printed directive. */
export const NEEDS = 'needs';

/**
 * Declares what a query, mutation, subscription or field requires. The service does not start if a
 * root field has none. `owner` is for needs that depend on the owner of the record; default: the
 * user named by `id` or `input.id`.
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

const SERVED_ON_FULL_DISK = 'servedOnFullDisk';

/**
 * For mutations that are served while the disk of the embedded store is full: they free space,
 * concern sessions, or store nothing. As `servedOnFullDisk` of a route.
 */
export function ServedOnFullDisk(): MethodDecorator {
  return Extensions({ [SERVED_ON_FULL_DISK]: true });
}

export const isServedOnFullDisk = (
  extensions: Readonly<Record<string, unknown>> | undefined,
): boolean => extensions?.[SERVED_ON_FULL_DISK] === true;

const SURVIVES_SESSION_END = 'outlivesSession';

/**
 * For the subscription that notifies users of the end of their session: its events are checked
 * against the session at the time of subscribing, since there is none later.
 */
export function SurvivesSessionEnd(): MethodDecorator {
  return Extensions({ [SURVIVES_SESSION_END]: true });
}

export const survivesSessionEnd = (
  extensions: Readonly<Record<string, unknown>> | undefined,
): boolean => extensions?.[SURVIVES_SESSION_END] === true;

/** The need that a field of the built schema declares, if any. */
export function declaredNeed(
  extensions: Readonly<Record<string, unknown>> | undefined,
): DeclaredNeed | undefined {
  return extensions?.[NEEDS] as DeclaredNeed | undefined;
}

/**
 * Returns undefined if the id does not parse: the guard then requires the permission for others'
 * records, and the service rejects the id.
 */
function ownerNamedById(args: Record<string, unknown>): number | undefined {
  const input = args.input as { readonly id?: unknown } | undefined;
  const id = args.id ?? input?.id;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return findDatabaseId(id, 'User');
}
