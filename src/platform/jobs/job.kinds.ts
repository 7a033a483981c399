/** All kinds of background jobs with their descriptions. */
export const JOB_KINDS = {
  'invoker-import': 'Reads the invokers of an archive.',
  'runs-retry': 'Runs again what failed.',
  'support-log': 'Packs the logs of a workflow for support.',
  'template-import': 'Reads the templates of a file or an archive.',
} as const satisfies Record<string, string>;

export type JobKind = keyof typeof JOB_KINDS;

/** A job can leave only QUEUED and RUNNING. */
export const JOB_STATES = {
  QUEUED: 'Waits for its turn.',
  RUNNING: 'Goes on now.',
  SUCCEEDED: 'Ended well: everything was done.',
  FAILED: 'Ended with an error: nothing was changed.',
  CANCELLED: 'Somebody ended it: nothing was changed.',
} as const satisfies Record<string, string>;

export type JobState = keyof typeof JOB_STATES;
