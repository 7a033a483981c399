import type { JobState } from './job.kinds';

/** Bus topic: something, whatever it is, after each change of a job. */
export const jobTopic = (id: number): string => `job.changed.${id}`;

export const UNFINISHED: readonly JobState[] = ['QUEUED', 'RUNNING'];
