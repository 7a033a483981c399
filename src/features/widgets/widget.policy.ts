import type { Need } from '../../platform/access/need';

/** Permissions for the figures of the dashboard, and for changing the widget catalog. */
export const widgetPolicy = {
  read: 'DASHBOARD:READ',
  create: 'DASHBOARD:CREATE',
  delete: 'DASHBOARD:DELETE',
} as const satisfies Record<string, Need>;

/**
 * Users who may see the dashboard arrange their own. Dashboards of other users are part of user
 * data.
 */
export const widgetSettingsPolicy = {
  read: { own: 'DASHBOARD:READ', others: 'USER:READ' },
  replace: 'DASHBOARD:READ',
} as const satisfies Record<string, Need>;
