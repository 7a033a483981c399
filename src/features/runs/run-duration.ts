import type { RunRecord } from './run.model';

/** How long a run took that ends now, ms; 0 for one that never began. */
export const durationUntil = (finishedAt: Date, { startedAt }: Pick<RunRecord, 'startedAt'>): number => (startedAt ? finishedAt.getTime() - startedAt.getTime() : 0);
