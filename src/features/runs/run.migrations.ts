import { dropIndexes } from '../../platform/store/drop-indexes';
import type { Migration } from '../../platform/store/migrations';
import { durationUntil } from './run-duration';
import type { RunRecord } from './run.model';

/** Of lists in the order of their ids. */
export const runIndexesById = dropIndexes('runs', ['state_1__id_1', 'workflowId_1__id_1']);

const BATCH = 500;

/** How long a run took was told by its last event alone. */
export const durationsOfRuns: Migration = {
  name: 'durations of runs',
  async run({ store, requireLease }) {
    const runs = store.connection.collection<RunRecord>('runs');
    for (let last = 0; ;) {
      const batch = await runs.find({ _id: { $gt: last } }, { projection: { startedAt: 1, finishedAt: 1 } }).sort({ _id: 1 }).limit(BATCH).toArray();
      if (batch.length > 0) {
        await runs.bulkWrite(batch.map((run) => ({
          updateOne: { filter: { _id: run._id }, update: { $set: { durationMs: run.finishedAt && durationUntil(run.finishedAt, run) } } } })));
      }
      requireLease();
      if (batch.length < BATCH) return;
      last = batch[batch.length - 1]?._id ?? last;
    }
  },
};

/** Runs did not say what started them. */
export const triggersOfRuns: Migration = {
  name: 'triggers of runs',
  async run({ store }) {
    const runs = store.connection.collection<RunRecord>('runs');
    for (const [test, trigger] of [[true, 'TEST'], [false, 'MANUAL']] as const) await runs.updateMany({ test, trigger: { $exists: false } }, { $set: { trigger } });
  },
};

/** Runs had no owners: those that go on have lost theirs, and what waits is anybody's. */
export const ownersOfRuns: Migration = {
  name: 'owners of runs',
  async run({ store }) {
    await store.connection.collection<RunRecord>('runs').updateMany({ fence: { $exists: false } }, { $set: { owner: null, leaseUntil: null, fence: 0, cancelRequested: false } });
  },
};
