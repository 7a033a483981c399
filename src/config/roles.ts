/**
 * What a process does: `api` serves clients, `worker` executes runs, `scheduler` starts due schedules
 * and does other work that recurs: deliveries, synchronisation, retention.
 */
export const ROLES = ['api', 'worker', 'scheduler'] as const;
export type Role = (typeof ROLES)[number];
