import { partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';

/** The schedule of a test: it never fires by itself, and exists until its run has ended. */
export interface TestScheduleRecord {
  readonly _id: number;
  readonly title: string;
  readonly workflowId: number;
  readonly runId: number;
  /** Key of what is tested; unique, so that only one test of it runs at a time. */
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
