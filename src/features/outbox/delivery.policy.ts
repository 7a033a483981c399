import type { Need } from '../../platform/access/need';

/** The list shows addresses, and who wants to reset a password. */
export const deliveryPolicy = {
  read: 'admin',
  retry: 'admin',
  test: 'admin',
} as const satisfies Record<string, Need>;
