import type { Need } from '../../platform/access/need';
import { fold } from '../../platform/text/fold';

/** Permissions for sessions. */
export const sessionPolicy = {
  /** Signing out requires only a session. */
  logout: 'authenticated',
  readOwn: 'MYPROFILE:READ',
  /** The sessions of a user. */
  read: { own: 'MYPROFILE:READ', others: 'USER:READ' },
  /** One session by id: its user is known only after the lookup, and the service checks again. */
  endOne: { any: ['MYPROFILE:UPDATE', 'USER:UPDATE'] },
  end: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  /** All sessions of a user. For the own ones no permission is needed. */
  endAll: { own: 'authenticated', others: 'USER:UPDATE' },
} as const satisfies Record<string, Need>;

/** Returns whether the members of the group with this name need a second factor. */
export type NeedsSecondFactor = (groupName: string) => boolean;

/** @param groups names as in the configuration, in upper or lower case; `*`: all groups */
export function needsSecondFactorIn(groups: readonly string[]): NeedsSecondFactor {
  const names = new Set(groups.map(fold));
  if (names.size === 0) return () => false;
  return (groupName) => names.has('*') || names.has(fold(groupName));
}
