import type { Actor } from '../../platform/access/actor';
import { isAdmin } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import type { Need } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';

/** Who may do what with groups, components and permissions. */
export const groupPolicy = {
  read: 'USERGROUP:READ',
  create: 'USERGROUP:CREATE',
  update: 'USERGROUP:UPDATE',
  delete: 'USERGROUP:DELETE',
} as const satisfies Record<string, Need>;

/** What a group gives to its members. */
export interface Rights {
  readonly name: string;
  readonly grants: ReadonlySet<string>;
}

/** May the actor hand these rights to somebody, or take them? Administrators may; others only what they hold themselves. */
export const mayHandle = (actor: Actor, { name, grants }: Rights): boolean =>
  isAdmin(actor) || (name !== ADMIN_GROUP && [...grants].every((grant) => actor.grants.has(grant)));

/**
 * Nobody grants rights he does not have, nor gets at them through somebody who has.
 * @throws Forbidden the group holds more than the actor
 */
export function requireMayHandle(actor: Actor, rights: Rights): void {
  if (mayHandle(actor, rights)) return;
  throw new Forbidden(`The group ${rights.name} holds rights that you do not have.`);
}
