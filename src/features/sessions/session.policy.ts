import type { Need } from '../../platform/access/need';

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
