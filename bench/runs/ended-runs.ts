import { setTimeout as pause } from 'node:timers/promises';
import type { ReachedService } from '../../test/support/service/harness';

/** A look costs the service about a millisecond that the runs then lack. How long a run took is read from its own times, so that looking later changes nothing. */
const LOOK_MS = 150;

/** A run that has ended, as REST shows it; times in ms. */
export interface EndedRun {
  readonly executionId: number;
  readonly state: string;
  readonly queuedTime: number;
  readonly endTime: number;
  readonly duration: number;
  readonly steps: number;
  readonly error: { readonly code: string } | null;
}

/** Polls: a subscription to the events of the run would take processor time from it. */
export async function endOf(service: ReachedService, runId: number): Promise<EndedRun> {
  for (;;) {
    const { body } = await service.api('GET', `/api/execution/${runId}`);
    const run = body as EndedRun;
    if (run.endTime !== null) return run;
    await pause(LOOK_MS);
  }
}

/** @throws Error when one of them did not end well */
export async function allSucceeded(
  service: ReachedService,
  runIds: readonly number[],
): Promise<EndedRun[]> {
  const ends: EndedRun[] = [];
  for (const runId of runIds) {
    const run = await endOf(service, runId);
    if (run.state !== 'SUCCEEDED')
      throw new Error(`Run ${runId} ended ${run.state}: ${JSON.stringify(run.error)}`);
    ends.push(run);
  }
  return ends;
}

/** The states of runs that have not ended. */
export const GOING = ['QUEUED', 'RUNNING'];

/** The number of runs that a filter of the API selects. */
export async function count(service: ReachedService, filter: object): Promise<number> {
  const { totalCount } = await service.field(
    'query ($filter: RunFilter) { runs(first: 1, filter: $filter) { totalCount } }',
    { filter },
  );
  return totalCount as number;
}
