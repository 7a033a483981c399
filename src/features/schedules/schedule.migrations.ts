import type { Migration } from '../../platform/store/migrations';
import { dropIndexes } from '../../platform/store/drop-indexes';
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
