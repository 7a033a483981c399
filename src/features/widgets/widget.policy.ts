import type { Need } from '../../platform/access/need';

/** Who may see the figures of the dashboard. */
export const widgetPolicy = { read: 'DASHBOARD:READ' } as const satisfies Record<string, Need>;
