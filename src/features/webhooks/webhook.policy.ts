import type { Need } from '../../platform/access/need';

/**
 * Permissions for webhooks. A webhook lets anyone who knows it start the schedule, so it requires
 * the permission to do that.
 */
export const webhookPolicy = {
  read: 'SCHEDULE:UPDATE',
  create: 'SCHEDULE:UPDATE',
  delete: 'SCHEDULE:UPDATE',
} as const satisfies Record<string, Need>;
