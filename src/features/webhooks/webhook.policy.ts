import type { Need } from '../../platform/access/need';

/** Who may do what with webhooks. Whoever knows one may start its schedule, so they are for those who may do that anyway. */
export const webhookPolicy = {
  read: 'SCHEDULE:UPDATE',
  create: 'SCHEDULE:UPDATE',
  delete: 'SCHEDULE:UPDATE',
} as const satisfies Record<string, Need>;
