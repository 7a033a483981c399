import type { Need } from '../../platform/access/need';

/** Who may do what with sessions. */
export const sessionPolicy = {
  /** To sign oneself out asks for nothing but a session. */
  logout: 'authenticated',
  readOwn: 'MYPROFILE:READ',
  end: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
} as const satisfies Record<string, Need>;
