import type { Core } from '../../platform/core';
import type { Gauge } from '../../platform/metrics/metrics';
import type { RunRecords } from './run-records';
import { UNFINISHED } from './run.model';

/** Indexes begin with `test`, so that each kind is counted separately. */
const KINDS = [false, true] as const;
/** Queued runs that may begin now: others wait for a run of their schedule. */
const READY = { state: 'QUEUED', isBlocked: { $exists: false } } as const;

/** Metrics of queued and running runs, of all processes on this store. */
export function runGauges(
  { clock }: Pick<Core, 'clock'>,
  { collection }: Pick<RunRecords, 'collection'>,
): readonly Gauge[] {
  const count = async (filter: object): Promise<number> => {
    const counts = await Promise.all(KINDS.map((test) => collection.count({ test, ...filter })));
    return counts.reduce((sum, each) => sum + each, 0);
  };
  const oldest = async (): Promise<Date | null> => {
    const runs = await Promise.all(
      KINDS.map((test) =>
        collection.findOne<{ queuedAt: Date }>(
          { test, ...READY },
          { fields: { queuedAt: 1 }, sort: { queuedAt: 1, _id: 1 } },
        ),
      ),
    );
    const times = runs.flatMap((run) => (run === null ? [] : [run.queuedAt.getTime()]));
    return times.length === 0 ? null : new Date(Math.min(...times));
  };
  return [
    {
      name: 'hypha_runs',
      help: 'Runs that have not ended, by state.',
      labels: ['state'],
      read: () =>
        Promise.all(
          UNFINISHED.map(async (state) => ({ labels: { state }, value: await count({ state }) })),
        ),
    },
    {
      name: 'hypha_run_queue_length',
      help: 'Queued runs that may begin now.',
      read: async () => [{ value: await count(READY) }],
    },
    {
      name: 'hypha_run_queue_oldest_seconds',
      help: 'Age of the oldest queued run that may begin now; 0 if there is none.',
      async read() {
        const since = await oldest();
        const age = since === null ? 0 : clock.now().getTime() - since.getTime();
        return [{ value: Math.max(age, 0) / 1_000 }];
      },
    },
  ];
}
