import type { Need } from '../../platform/access/need';

export const subscriptionPolicy = {
  /** Clients read it for every user, before they offer to start anything. */
  read: 'authenticated',
  /** Names workflows. */
  readUsage: 'CONNECTION:READ',
  change: 'admin',
} as const satisfies Record<string, Need>;
