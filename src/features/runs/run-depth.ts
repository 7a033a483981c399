import type { RunRecord } from './run.model';

/** So many runs may start each other. */
export const MOST_DEEP = 10;

/** The how many-th a run is of those that started each other. */
export const depthOf = ({ depth = 1 }: Pick<RunRecord, 'depth'>): number => depth;
