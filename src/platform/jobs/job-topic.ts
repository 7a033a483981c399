import type { JobState } from './job.kinds';

/** Bus topic: published after each change of a job; the payload is ignored. */
export const jobTopic = (id: number): string => `job.changed.${id}`;

export const UNFINISHED: readonly JobState[] = ['QUEUED', 'RUNNING'];
