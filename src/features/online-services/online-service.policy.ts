import type { Need } from '../../platform/access/need';

export const onlinePolicy = {
  /** Clients ask every user's session whether it is on. */
  status: 'authenticated',
  read: 'admin',
  change: 'admin',
} as const satisfies Record<string, Need>;
