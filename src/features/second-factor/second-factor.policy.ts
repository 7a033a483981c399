import type { Need } from '../../platform/access/need';

export const secondFactorPolicy = {
  readOwn: 'authenticated',
  /** Whether a user has a second factor. */
  read: { own: 'authenticated', others: 'USER:READ' },
  /** One's own, with the password. */
  changeOwn: 'authenticated',
  changeOthers: 'USER:UPDATE',
} as const satisfies Record<string, Need>;
