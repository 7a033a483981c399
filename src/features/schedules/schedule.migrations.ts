import type { Migration } from '../../platform/store/migrations';
import { dropIndexes } from '../../platform/store/drop-indexes';
import type { RunRecord } from '../runs/run.model';
import { RELEASED_OVERLAP_POLICY } from './overlap-policy';
import type { ScheduleRecord } from './schedule.model';
import type { TestScheduleRecord } from './test-schedule.model';

const ofTests = dropIndexes('schedules', ['testKey_1', 'runId_1']);

/** Schedules of tests stood where those stand now that last; each goes with its run, so there are few. */
export const testSchedulesApart: Migration = {
  name: 'schedules of tests have a collection of their own',
  async run(work) {
    const { connection } = work.store;
    const [before, after] = [connection.collection<TestScheduleRecord>('schedules'), connection.collection<TestScheduleRecord>('test_schedules')];
    for (const test of await before.find({ testKey: { $exists: true } }).toArray()) {
      await after.replaceOne({ _id: test._id }, test, { upsert: true });
      await before.deleteOne({ _id: test._id });
    }
    await ofTests.run(work);
  },
};

const RUNS_AT_ONCE = 500;

/** Schedules keep what they did before they had overlap policies, and the runs of schedules that have not ended are found by their schedule. */
export const overlapPoliciesOfSchedules: Migration = {
  name: 'overlap policies of schedules',
  async run({ store, requireLease }) {
    const { connection } = store;
    await connection.collection<ScheduleRecord>('schedules').updateMany({ overlapPolicy: { $exists: false } }, { $set: { overlapPolicy: RELEASED_OVERLAP_POLICY } });
    const runs = connection.collection<RunRecord>('runs');
    const unmarked = { state: { $in: ['QUEUED', 'RUNNING'] }, scheduleId: { $exists: true }, openOfSchedule: { $exists: false } } as const;
    for (;;) {
      requireLease();
      const batch = await runs.find(unmarked as object, { projection: { scheduleId: 1 } }).limit(RUNS_AT_ONCE).toArray();
      if (batch.length === 0) return;
      await runs.bulkWrite(batch.map(({ _id, scheduleId }) => ({ updateOne: { filter: { _id }, update: { $set: { openOfSchedule: scheduleId } } } })));
    }
  },
};
