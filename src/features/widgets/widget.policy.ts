import type { Need } from '../../platform/access/need';

/** Who may see the figures of the dashboard, and who may change what dashboards can show. */
export const widgetPolicy = {
  read: 'DASHBOARD:READ',
  create: 'DASHBOARD:CREATE',
  delete: 'DASHBOARD:DELETE',
} as const satisfies Record<string, Need>;

/** Whoever sees the dashboard arranges his own. Where others have put what is a part of them. */
export const widgetSettingsPolicy = {
  read: { own: 'DASHBOARD:READ', others: 'USER:READ' },
  replace: 'DASHBOARD:READ',
} as const satisfies Record<string, Need>;
