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

/** A test that is about to begin. */
export interface NewTest {
  readonly runId: number;
  readonly workflowId: number;
  /** Of the schedule. */
  readonly title: string;
  /** What is tested. */
  readonly testKey: string;
}

export type TestSchedules = ReturnType<typeof createTestSchedules>;

/** The schedules of tests: each is there while its run is, and nothing is tested twice at a time, whichever process is asked. */
export function createTestSchedules({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Clock;
}) {
  const schedules = testScheduleModel(store);
  /** Tests carry requests and answers: as with their runs, they are for whoever started them and for administrators. */
  const seenBy = (actor: Actor) => (isAdmin(actor) ? {} : { 'createdBy.userId': actor.userId });

  return {
    /** Takes an id: outside of the transaction that begins the test. */
    nextId: (): Promise<number> => store.nextId('schedules'),

    /** To be called in the transaction that stores the run; its failures are told by `refusal`. */
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

    /** What the failure of a transaction that began a test means. */
    refusal: (error: unknown): unknown =>
      isDuplicateKey(error)
        ? new Conflict(
            'CONCURRENT_TEST_IS_FORBIDDEN',
            'This workflow is being tested; one test of it at a time.',
          )
        : error,

    /** To be called in the transaction that ends the run. */
    async end(runId: number, tx: Tx): Promise<void> {
      await schedules.deleteOne({ runId }, { session: tx.session });
    },

    /** Those of tests that go on and that the actor may see, in their order. */
    all: (actor: Actor): Promise<TestScheduleRecord[]> =>
      schedules.find(seenBy(actor)).sort({ _id: 1 }).lean<TestScheduleRecord[]>(),

    /** @throws NotFound SCHEDULER_NOT_FOUND, also for somebody else's */
    async get(actor: Actor, id: number): Promise<TestScheduleRecord> {
      const schedule = await schedules
        .findOne({ ...seenBy(actor), _id: id })
        .lean<TestScheduleRecord>();
      if (!schedule) throw scheduleNotFound(id);
      return schedule;
    },
  };
}
