/** All triggers of runs, with their meaning. */
export const RUN_TRIGGERS = {
  MANUAL: 'Somebody ran the workflow.',
  TEST: 'Somebody tries the workflow.',
  SCHEDULE: 'A schedule was due.',
  WEBHOOK: 'A webhook was called.',
  ERROR: 'A run failed whose workflow names this one as its error workflow.',
  RETRY: 'Somebody ran again what had been run.',
} as const;

export type RunTriggerName = keyof typeof RUN_TRIGGERS;
