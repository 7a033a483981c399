import type { Need } from '../../platform/access/need';

/**
 * Permissions for schedules. A user who starts a test may see its schedule, but no others: see
 * `TestSchedules`.
 * Routes for both kinds accept the permission for either; the service checks the one for the actual
 * kind.
 */
export const schedulePolicy = {
  read: 'SCHEDULE:READ',
  create: 'SCHEDULE:CREATE',
  update: 'SCHEDULE:UPDATE',
  delete: 'SCHEDULE:DELETE',
  /** Also for disabled schedules. */
  start: 'SCHEDULE:UPDATE',
  terminate: 'SCHEDULE:UPDATE',
} as const satisfies Record<string, Need>;

/** For routes that also serve the schedules of tests. */
export const READ_ANY_NEED = {
  any: [schedulePolicy.read, 'CONNECTION:UPDATE'],
} as const satisfies Need;
export const TERMINATE_ANY_NEED = {
  any: [schedulePolicy.terminate, 'CONNECTION:UPDATE'],
} as const satisfies Need;
