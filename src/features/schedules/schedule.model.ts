import { partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';

/** What runs a workflow: as yet only that of a test, which never fires by itself and goes with its run. */
export interface ScheduleRecord {
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

const scheduleSchema = schemaOf<ScheduleRecord>({
  _id: Number,
  title: String,
  workflowId: Number,
  runId: Number,
  testKey: String,
  createdBy: partOf<Author>({ userId: Number, email: String }),
  createdAt: Date,
});
scheduleSchema.index({ testKey: 1 }, { unique: true });
scheduleSchema.index({ runId: 1 }, { unique: true });

export const scheduleModel = (store: Store) => store.model<ScheduleRecord>('Schedule', scheduleSchema, 'schedules');
