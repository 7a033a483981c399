import type { Need } from '../../platform/access/need';
import { fold } from '../../platform/text/fold';

export const secondFactorPolicy = {
  readOwn: 'authenticated',
  /** Whether a user has a second factor. */
  read: { own: 'authenticated', others: 'USER:READ' },
  /** One's own, with the password. */
  changeOwn: 'authenticated',
  changeOthers: 'USER:UPDATE',
} as const satisfies Record<string, Need>;

/** Returns whether the members of the group with this name need a second factor. */
export type NeedsSecondFactor = (groupName: string) => boolean;

/** @param groups names as in the configuration, in upper or lower case; `*`: all groups */
export function needsSecondFactorIn(groups: readonly string[]): NeedsSecondFactor {
  const names = new Set(groups.map(fold));
  if (names.size === 0) return () => false;
  return (groupName) => names.has('*') || names.has(fold(groupName));
}
