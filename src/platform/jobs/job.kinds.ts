/** All kinds of background jobs with their descriptions. */
export const JOB_KINDS = {
  'invoker-import': 'Imports the invokers of an archive.',
  'online-synchronisation': 'Synchronises invokers or templates with the portal.',
  'runs-retry': 'Retries failed runs.',
  'support-log': 'Creates the support archive of a workflow.',
  'template-import': 'Imports the templates of a file or an archive.',
} as const satisfies Record<string, string>;

export type JobKind = keyof typeof JOB_KINDS;

/** A job can leave only QUEUED and RUNNING. */
export const JOB_STATES = {
  QUEUED: 'Waiting for a free slot.',
  RUNNING: 'Running.',
  SUCCEEDED: 'Completed successfully.',
  FAILED: 'Ended with an error. Nothing was changed.',
  CANCELLED: 'Cancelled by a user. Nothing was changed.',
} as const satisfies Record<string, string>;

export type JobState = keyof typeof JOB_STATES;

export const UNFINISHED: readonly JobState[] = ['QUEUED', 'RUNNING'];

/** Bus topic: published after each change of a job; the payload is ignored. */
export const jobTopic = (id: number): string => `job.changed.${id}`;
