import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';

/** The schedule of a test: it never fires by itself, and exists until its run has ended. */
export interface TestScheduleRecord {
  readonly _id: number;
  readonly title: string;
  readonly workflowId: number;
  readonly runId: number;
  /** Identifies what is tested; unique, so that only one test of it runs at a time. */
  readonly testKey: string;
  readonly createdBy: Author;
  readonly createdAt: Date;
}

export type NewTestSchedule = Pick<
  TestScheduleRecord,
  'runId' | 'workflowId' | 'title' | 'testKey'
>;

/** The schedules of running tests. One test per key at a time, over all processes. */
export interface SchedulesOfTests {
  /** Reserves an id, outside the transaction that begins the test. */
  nextId(): Promise<number>;
  /** Call in the transaction that stores the run; convert its errors with `refusal`. */
  begin(actor: Actor, id: number, test: NewTestSchedule, tx: Tx): Promise<TestScheduleRecord>;
  /** Converts a duplicate key error of that transaction to a conflict. */
  refusal(error: unknown): unknown;
}
