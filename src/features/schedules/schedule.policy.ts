import type { Need } from '../../platform/access/need';

/**
 * Who may do what with schedules. Whoever starts a test has its schedule, and sees no other by that: `TestSchedules`. So the doors let through
 * who may do something with one kind, and the service asks for the right of the kind that it is.
 */
export const schedulePolicy = {
  read: 'SCHEDULE:READ',
  create: 'SCHEDULE:CREATE',
  update: 'SCHEDULE:UPDATE',
  delete: 'SCHEDULE:DELETE',
  /** Also of those that are not enabled. */
  start: 'SCHEDULE:UPDATE',
  terminate: 'SCHEDULE:UPDATE',
} as const satisfies Record<string, Need>;

/** At the addresses that also tests have. */
export const READ_ANY_NEED = {
  any: [schedulePolicy.read, 'CONNECTION:UPDATE'],
} as const satisfies Need;
export const TERMINATE_ANY_NEED = {
  any: [schedulePolicy.terminate, 'CONNECTION:UPDATE'],
} as const satisfies Need;
