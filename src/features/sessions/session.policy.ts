import type { Need } from '../../platform/access/need';

/** Who may do what with sessions. */
export const sessionPolicy = {
  /** To sign oneself out asks for nothing but a session. */
  logout: 'authenticated',
  readOwn: 'MYPROFILE:READ',
  /** The sessions of a user. */
  read: { own: 'MYPROFILE:READ', others: 'USER:READ' },
  /** One session, named by its own id: whose it is shows only then, and the service asks again. */
  endOne: { any: ['MYPROFILE:UPDATE', 'USER:UPDATE'] },
  end: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  /** Every session of a user. To sign oneself out asks for nothing but a session. */
  endAll: { own: 'authenticated', others: 'USER:UPDATE' },
} as const satisfies Record<string, Need>;
