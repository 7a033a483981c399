import type { RunRecord } from './run.model';

/** Maximum number of runs in a chain of runs that start each other. */
export const MOST_DEEP = 10;

/** Position of a run in a chain of runs that started each other, from 1. */
export const depthOf = ({ depth = 1 }: Pick<RunRecord, 'depth'>): number => depth;
