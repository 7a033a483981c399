import type { Actor } from '../../platform/access/actor';
import { authorOf, isAdmin } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { Conflict } from '../../platform/errors/errors';
import type { Collection } from '../../platform/store/collection';
import { partOf, schemaOf } from '../../platform/store/schema';
import { isDuplicateKey } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import type { NewTestSchedule, TestScheduleRecord } from '../runs/run.ports';
import type { Author } from '../workflows/workflow.model';
import { scheduleNotFound } from './schedule-records';

/** These records never change. */
export const VERSION_OF_TESTS = 1;

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

/** Tests contain requests and responses: only their user and administrators may see them. */
const visibleTo = (actor: Actor) => (isAdmin(actor) ? {} : { 'createdBy.userId': actor.userId });

/** The schedules of running tests. One test per key at a time, over all processes. */
export class TestSchedules {
  private readonly collection: Collection<TestScheduleRecord>;

  constructor(private readonly core: Pick<Core, 'store' | 'clock'>) {
    this.collection = core.store.collection('TestSchedule', testScheduleSchema, 'test_schedules');
  }

  /** Reserves an id, outside the transaction that begins the test. */
  nextId(): Promise<number> {
    return this.core.store.nextId('schedules');
  }

  /** Call in the transaction that stores the run; convert its errors with `refusal`. */
  begin(actor: Actor, id: number, test: NewTestSchedule, tx: Tx): Promise<TestScheduleRecord> {
    const [createdBy, createdAt] = [authorOf(actor), this.core.clock.now()];
    return this.collection.insert({ _id: id, ...test, createdBy, createdAt }, tx);
  }

  /** Converts a duplicate key error of that transaction to a conflict. */
  refusal(error: unknown): unknown {
    return isDuplicateKey(error)
      ? new Conflict(
          'CONCURRENT_TEST_IS_FORBIDDEN',
          'This workflow is already being tested. Wait until that test has ended.',
        )
      : error;
  }

  /** Call in the transaction that ends the run. */
  async end(runId: number, tx: Tx): Promise<void> {
    await this.collection.deleteOne({ runId }, tx);
  }

  /** Schedules of open tests that the actor may see, by id. */
  all(actor: Actor): Promise<TestScheduleRecord[]> {
    return this.collection.find(visibleTo(actor), { sort: { _id: 1 } });
  }

  /** @throws NotFound SCHEDULER_NOT_FOUND, also for tests of other users */
  async get(actor: Actor, id: number): Promise<TestScheduleRecord> {
    const schedule = await this.collection.findOne({ ...visibleTo(actor), _id: id });
    if (!schedule) throw scheduleNotFound(id);
    return schedule;
  }
}
