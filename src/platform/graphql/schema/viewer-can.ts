import { Field, ObjectType } from 'type-graphql';
import type { Actor } from '../../access/actor';
import type { Need } from '../../access/need';
import { allows, printNeed } from '../../access/need';

/** A feature's policy: its actions, and what each requires. */
export type Policy = Readonly<Record<string, Need>>;

/** What the signed-in user may do with an object, by the keys of its feature's policy. */
type ViewerCan<P extends Policy> = { readonly [K in keyof P]: boolean };

/**
 * Creates the GraphQL type of a policy, with one boolean for each key:
 * `viewerCanType('UserViewerCan', userPolicy)`.
 */
export function viewerCanType<P extends Policy>(name: string, policy: P): new () => ViewerCan<P> {
  const type = class {};
  for (const [action, need] of Object.entries(policy)) {
    Field(() => Boolean, {
      description: `May the signed-in user ${inWords(action)}? Needs ${printNeed(need)}.`,
    })(type.prototype, action);
  }
  ObjectType(name, {
    description: 'What the signed-in user may do here, so that an interface can show it.',
  })(type);
  return type as new () => ViewerCan<P>;
}

/** `changeDetail` becomes `change its detail`. */
function inWords(action: string): string {
  const part = /^change(.+)$/.exec(action)?.[1];
  return part === undefined ? `${action} it` : `change its ${part.toLowerCase()}`;
}

/** Evaluates a policy for one object; `ownerId` is the user who owns the record. */
export function viewerCan<P extends Policy>(
  policy: P,
  actor: Actor,
  ownerId?: number,
): ViewerCan<P> {
  return Object.fromEntries(
    Object.entries(policy).map(([action, need]) => [action, allows(need, actor, ownerId)]),
  ) as ViewerCan<P>;
}
