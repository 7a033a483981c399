import type { Actor } from '../../platform/access/actor';
import { isAdmin } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import type { Need } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';

export const groupPolicy = {
  read: 'USERGROUP:READ',
  create: 'USERGROUP:CREATE',
  update: 'USERGROUP:UPDATE',
  delete: 'USERGROUP:DELETE',
} as const satisfies Record<string, Need>;

/** The rights that a group gives to its members. */
export interface Rights {
  readonly name: string;
  readonly grants: ReadonlySet<string>;
}

/**
 * Returns whether the actor may grant or remove these rights: administrators may, others only
 * rights that they have.
 */
export const hasRightsOf = (actor: Actor, { name, grants }: Rights): boolean =>
  isAdmin(actor) || (name !== ADMIN_GROUP && [...grants].every((grant) => actor.grants.has(grant)));

/**
 * Prevents granting rights that the actor lacks, and gaining them through other accounts.
 * @throws Forbidden if the group has rights that the actor lacks
 */
export function requireRightsOf(actor: Actor, rights: Rights): void {
  if (hasRightsOf(actor, rights)) return;
  throw new Forbidden(`The group ${rights.name} holds rights that you do not have.`);
}
