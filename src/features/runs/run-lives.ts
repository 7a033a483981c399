import type { Model, QueryFilter } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store } from '../../platform/store/store';
import { isDuplicateKey } from '../../platform/store/store';
import type { RunEndings } from './run-endings';
import { interruptedError, RUN_CANCEL_TOPIC } from './run.events';
import type { RunCancelAsked } from './run.events';
import type { RunEventLog } from './run-event-log';
import type { RunLine, Waiting } from './run-line';
import type { RunRecord } from './run.model';
import type { LeaseTimes, Owned, RunOwners } from './run-owners';
import { BOTH_KINDS } from './run.policy';

export interface RunLivesDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly runs: Model<RunRecord>;
  readonly owners: RunOwners;
  readonly endings: Pick<RunEndings, 'end'>;
  readonly log: Pick<RunEventLog, 'lastSequence' | 'finishedSteps'>;
  readonly line: RunLine;
  readonly times: LeaseTimes;
  readonly onFault: (error: unknown, runId: number) => void;
}

/** What waits for longer has not been taken by the process that has it in line: whoever has a place may. */
const LEFT_MS = 5_000;
/** Rows of one answer of the store. */
const READ_AT_ONCE = 1_000;
/** A process that comes back may store events between a look and the end: then the look is repeated. */
const ATTEMPTS = 3;

/** Keeps the runs of this process its own, ends those of processes that are gone, and takes up what nobody executes. */
export function createRunLives({ store, bus, clock, runs, owners, endings, log, line, times, onFault }: RunLivesDependencies) {
  const timers: NodeJS.Timeout[] = [];
  const opened: (() => void)[] = [];
  let beating: Promise<void> | null = null;
  let looking: Promise<void> | null = null;

  async function renewLeases(): Promise<void> {
    line.lose(await owners.renew());
  }

  /** False: it is no orphan any more. */
  async function endOrphan(run: Owned, attempts = ATTEMPTS): Promise<boolean> {
    try {
      const ended = await endings.end({ ...owners.as(run), leaseUntil: run.leaseUntil }, async ({ _id }, tx) =>
        ({ state: 'INTERRUPTED', error: interruptedError(), steps: await log.finishedSteps(_id, tx), sequence: await log.lastSequence(_id, tx) + 1 }));
      return ended !== null;
    } catch (error) {
      if (attempts <= 1 || !isDuplicateKey(error)) throw error;
      return endOrphan(run, attempts - 1);
    }
  }

  async function endOrphans(): Promise<number> {
    let count = 0;
    for (const run of await owners.orphans()) {
      if (await endOrphan(run)) count += 1;
    }
    return count;
  }

  /** All of it, in the order in which it was queued, whether there are places or not: behind the many of one user stand the few of others, who get their share. */
  async function takeUp(waiting: QueryFilter<RunRecord> = {}): Promise<void> {
    const found = runs.find({ ...waiting, test: false, state: 'QUEUED' }, { workflowId: 1, startedBy: 1, test: 1, trigger: 1 }).sort({ queuedAt: 1, _id: 1 }).lean<Waiting[]>();
    for await (const run of found.cursor({ batchSize: READ_AT_ONCE })) line.offer(run);
  }

  /** What other processes have begun or ended meanwhile takes no room in the line of this one. */
  async function leaveToOthers(): Promise<void> {
    const ids = store.isExclusive ? [] : line.waiting();
    if (ids.length === 0) return;
    const begun = await runs.find({ _id: { $in: ids }, state: { $ne: 'QUEUED' } }, { _id: 1 }).lean<Pick<RunRecord, '_id'>[]>();
    line.withdraw(new Set(begun.map(({ _id }) => _id)));
  }

  /** Counted first: to read thousands that are in line already would cost a hundred times as much. */
  async function takeUpLeft(): Promise<void> {
    if (await runs.countDocuments({ test: BOTH_KINDS, state: 'QUEUED' }) === line.waiting().length) return;
    await takeUp({ queuedAt: { $lte: new Date(clock.now().getTime() - LEFT_MS) } });
  }

  async function beat(): Promise<void> {
    for (const work of [renewLeases, endOrphans, leaveToOthers, takeUpLeft]) {
      await work().catch((error: unknown) => onFault(error, 0));
    }
  }

  /** Also while the store does not answer: then another process may have ended them. */
  function tick(): void {
    line.lose(owners.expired());
    beating ??= beat().finally(() => { beating = null; });
  }

  function obey(): void {
    looking ??= owners.cancelled(line.goingOn()).then((ids) => line.obey(ids)).catch((error: unknown) => onFault(error, 0)).finally(() => { looking = null; });
  }

  return {
    /** Ends what processes left behind that are gone, and watches from now on; before anything is served. Answers how many there were. */
    async recover(): Promise<number> {
      const count = await endOrphans();
      timers.push(setInterval(tick, times.beatMs).unref());
      if (!store.isExclusive) timers.push(setInterval(obey, times.lookMs).unref());
      opened.push(bus.subscribe<RunCancelAsked>(RUN_CANCEL_TOPIC, ({ runId }) => {
        if (line.isActive(runId)) obey();
      }));
      return count;
    },

    /** Gets in line for what waited when the last process stopped. */
    takeUp: (): Promise<void> => takeUp(),

    async stop(): Promise<void> {
      for (const timer of timers.splice(0)) clearInterval(timer);
      for (const close of opened.splice(0)) close();
      await Promise.all([beating, looking]);
    },
  };
}
