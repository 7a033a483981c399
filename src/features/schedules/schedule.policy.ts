import type { Need } from '../../platform/access/need';

/** Who may do what with schedules. Whoever starts a test has its schedule, and sees no other: `TestSchedules`. */
export const schedulePolicy = {
  read: { any: ['SCHEDULE:READ', 'CONNECTION:UPDATE'] },
  terminate: { any: ['SCHEDULE:UPDATE', 'CONNECTION:UPDATE'] },
} as const satisfies Record<string, Need>;
