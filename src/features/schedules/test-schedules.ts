import type { Actor } from '../../platform/access/actor';
import { authorOf, isAdmin } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { Conflict } from '../../platform/errors/errors';
import { insertRecord } from '../../platform/store/records';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { scheduleNotFound } from './schedule.rules';
import type { TestScheduleRecord } from './test-schedule.model';
import { testScheduleModel } from './test-schedule.model';

export interface NewTest {
  readonly runId: number;
  readonly workflowId: number;
  readonly title: string;
  /** Key of what is tested. */
  readonly testKey: string;
}

export type TestSchedules = ReturnType<typeof createTestSchedules>;

/**
 * Schedules of tests: each exists until its run has ended. One test per key at a time, over all
 * processes.
 */
export function createTestSchedules({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Clock;
}) {
  const schedules = testScheduleModel(store);
  /**
   * Tests contain requests and responses: only administrators and the user who started them may see
   * them.
   */
  const seenBy = (actor: Actor) => (isAdmin(actor) ? {} : { 'createdBy.userId': actor.userId });

  return {
    /** Reserves an id, outside the transaction that begins the test. */
    nextId: (): Promise<number> => store.nextId('schedules'),

    /** Call in the transaction that stores the run; convert its errors with `refusal`. */
    begin: (actor: Actor, id: number, test: NewTest, tx: Tx): Promise<TestScheduleRecord> =>
      insertRecord<TestScheduleRecord>(
        schedules,
        {
          _id: id,
          ...test,
          createdBy: authorOf(actor),
          createdAt: clock.now(),
        },
        tx,
      ),

    /** Converts a duplicate key error of that transaction to a conflict. */
    refusal: (error: unknown): unknown =>
      isDuplicateKey(error)
        ? new Conflict(
            'CONCURRENT_TEST_IS_FORBIDDEN',
            'This workflow is being tested; one test of it at a time.',
          )
        : error,

    /** Call in the transaction that ends the run. */
    async end(runId: number, tx: Tx): Promise<void> {
      await schedules.deleteOne({ runId }, { session: tx.session });
    },

    /** Schedules of open tests that the actor may see, by id. */
    all: (actor: Actor): Promise<TestScheduleRecord[]> =>
      schedules.find(seenBy(actor)).sort({ _id: 1 }).lean<TestScheduleRecord[]>(),

    /** @throws NotFound SCHEDULER_NOT_FOUND, also for tests of other users */
    async get(actor: Actor, id: number): Promise<TestScheduleRecord> {
      const schedule = await schedules
        .findOne({ ...seenBy(actor), _id: id })
        .lean<TestScheduleRecord>();
      if (!schedule) throw scheduleNotFound(id);
      return schedule;
    },
  };
}
