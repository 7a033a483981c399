import type { Need } from '../../platform/access/need';

/**
 * Permissions for jobs. `maySeeJob` decides which jobs are visible: users see their own,
 * administrators all.
 */
export const jobPolicy = {
  read: 'authenticated',
  cancel: 'authenticated',
} as const satisfies Record<string, Need>;
