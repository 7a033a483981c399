import { partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';

/** What a test is known by as long as it goes on: a schedule that never fires by itself and goes with its run. */
export interface TestScheduleRecord {
  readonly _id: number;
  readonly title: string;
  readonly workflowId: number;
  /** The run of the test. */
  readonly runId: number;
  /** What is tested: no two have the same, so that nothing is tested twice at a time. */
  readonly testKey: string;
  readonly createdBy: Author;
  readonly createdAt: Date;
}

const testScheduleSchema = schemaOf<TestScheduleRecord>({
  _id: Number,
  title: String,
  workflowId: Number,
  runId: Number,
  testKey: String,
  createdBy: partOf<Author>({ userId: Number, email: String }),
  createdAt: Date,
});
testScheduleSchema.index({ testKey: 1 }, { unique: true });
testScheduleSchema.index({ runId: 1 }, { unique: true });

export const testScheduleModel = (store: Store) =>
  store.model<TestScheduleRecord>('TestSchedule', testScheduleSchema, 'test_schedules');
