import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { SharedEvents } from '../../platform/events/shared-events';
import { BadInput, DomainError, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { recordsByIds } from '../../platform/store/records';
import type { Order, Page, PageRequest } from '../../platform/store/keyset';
import { pageOf } from '../../platform/store/keyset';
import { pagesOf } from '../../platform/store/pages-of';
import type { PublishedRunEvent } from './run.events';
import type { RunEventFeed } from './run-event-feed';
import type { RunEventLog } from './run-event-log';
import { gapIn, requireSequence } from './run-log.rules';
import type { RunRecord } from './run.model';
import { maySee, requireListVisible, requireVisible, visibleRuns } from './run.policy';
import { CHANNEL_RULE, isChannel } from './test-channels';
import type { TestChannels } from './test-channels';

export interface RunReadingDependencies {
  readonly runs: Model<RunRecord>;
  readonly feed: RunEventFeed;
  readonly log: Pick<RunEventLog, 'readEach'>;
  readonly channels: Pick<TestChannels, 'follow'>;
}

/** An event for a subscriber, with its run: permissions are checked for each event. */
export interface WatchedRunEvent {
  readonly run: RunRecord;
  readonly event: PublishedRunEvent;
}

export const runNotFound = (id: number, path: InputPath = ['id'], kind = 'run'): NotFound =>
  new NotFound('EXECUTION_NOT_FOUND', `There is no ${kind} ${id}.`, { path });

/** Reads runs and their events as far as an actor may see them; other runs count as missing. */
export function createRunReading({ runs, feed, log, channels }: RunReadingDependencies) {
  const seenBy = (actor: Actor, run: RunRecord | null | undefined): RunRecord | null =>
    run && maySee(actor, run) ? run : null;

  const read = (id: number): Promise<RunRecord | null> => runs.findById(id).lean<RunRecord>();

  async function byId(actor: Actor, id: number): Promise<RunRecord | null> {
    const run = await read(id);
    requireVisible(actor, run);
    return seenBy(actor, run);
  }

  return {
    /**
     * Returns null if there is none.
     * @throws Forbidden for actors who may see only their own tests
     */
    byId,

    /**
     * @throws NotFound EXECUTION_NOT_FOUND, also for tests of other users
     * @throws Forbidden as `byId`
     */
    async get(actor: Actor, id: number): Promise<RunRecord> {
      const run = await byId(actor, id);
      if (!run) throw runNotFound(id);
      return run;
    },

    /** In the order of the ids, null where there is none. */
    async byIds(actor: Actor, ids: readonly number[]): Promise<(RunRecord | null)[]> {
      return (await recordsByIds(runs, ids)).map((run) => seenBy(actor, run));
    },

    /**
     * A page of runs; test runs only on request.
     * @throws Forbidden for actors who may see only their own tests and do not ask for tests
     */
    async page(
      actor: Actor,
      filter: Record<string, unknown>,
      page: PageRequest,
      more: { includeTest: boolean; orderBy: readonly Order[] },
    ): Promise<Page<RunRecord>> {
      requireListVisible(actor, more);
      return pageOf(runs, {
        ...page,
        filter,
        within: visibleRuns(actor, more),
        orderBy: more.orderBy,
      });
    },

    /** The same page for each workflow. */
    pagesOfWorkflows(
      actor: Actor,
      workflowIds: readonly number[],
      filter: Record<string, unknown>,
      page: PageRequest,
      more: { includeTest: boolean; orderBy: readonly Order[] },
    ): Promise<Page<RunRecord>[]> {
      return pagesOf(runs, 'workflowId', workflowIds, {
        ...page,
        filter,
        within: visibleRuns(actor, more),
        orderBy: more.orderBy,
      });
    },

    async interruptedAmong(ids: readonly number[]): Promise<ReadonlySet<number>> {
      if (ids.length === 0) return new Set();
      const found = await runs
        .find({ _id: { $in: [...ids] }, state: 'INTERRUPTED' }, { _id: 1 })
        .lean<Pick<RunRecord, '_id'>[]>();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Running runs without tests, oldest first. */
    async running(limit: number): Promise<RunRecord[]> {
      return runs
        .find({ state: 'RUNNING', test: false })
        .sort({ queuedAt: 1, _id: 1 })
        .limit(limit)
        .lean<RunRecord[]>();
    },

    /**
     * The events of a run after a sequence, gapless and in order, until it has ended.
     * @throws NotFound EXECUTION_NOT_FOUND; with `testsOnly` also for runs that are not tests
     * @throws Forbidden as `byId`
     * @throws Refused  RUN_LOG_GONE
     */
    async events(
      actor: Actor,
      id: number,
      afterSequence: number,
      signal: AbortSignal,
      { testsOnly = false } = {},
    ): Promise<SharedEvents<WatchedRunEvent>> {
      const run = await byId(actor, id);
      if (!run || (testsOnly && !run.test))
        throw runNotFound(id, ['runId'], testsOnly ? 'test run' : 'run');
      requireSequence(afterSequence);
      return new SharedEvents(
        {
          channel: `run ${id}`,
          start: afterSequence,
          placeOf: ({ event }) => event.sequence,
          open: (place, until) => watched(run, feed.read(run, place, until)),
        },
        signal,
      );
    },

    /**
     * The events of the last test that the actor has started for a channel, from the first, then
     * those of each later test, until the signal aborts: a client that listens before it starts a
     * test misses none.
     * Skips the rest of a test whose log is removed.
     * @throws BadInput if the name of the channel is invalid
     */
    channelEvents(
      actor: Actor,
      channelId: string,
      signal: AbortSignal,
    ): AsyncGenerator<WatchedRunEvent, void, undefined> {
      if (!isChannel(channelId))
        throw new BadInput('BAD_REQUEST', CHANNEL_RULE, { path: ['channelId'] });
      return eventsOf(channels.follow(actor, channelId, signal), async (id) => {
        const run = seenBy(actor, await read(id));
        return run && watched(run, await feed.follow(id, 0, signal));
      });
    },

    /**
     * Up to `limit` stored events after a sequence for each run, in one read. Runs that `events`
     * would refuse have an error instead: EXECUTION_NOT_FOUND or RUN_LOG_GONE.
     * @throws BadInput if the sequence is negative
     * @throws Forbidden as `byId`
     */
    async storedEvents(
      actor: Actor,
      of: readonly RunRecord[],
      afterSequence: number,
      limit: number,
    ): Promise<(readonly PublishedRunEvent[] | DomainError)[]> {
      requireSequence(afterSequence);
      for (const run of of) requireVisible(actor, run);
      const seen = [...new Set(of.filter((run) => maySee(actor, run)).map(({ _id }) => _id))];
      const read = await log.readEach(seen, afterSequence, limit);
      const found = new Map(seen.map((id, index) => [id, read[index] ?? []]));
      return of.map((run) => {
        const events = found.get(run._id);
        return events
          ? (gapIn(run, afterSequence, events) ?? events)
          : runNotFound(run._id, ['runId']);
      });
    },
  };
}

const isGone = (error: unknown): boolean =>
  error instanceof DomainError &&
  (error.code === 'RUN_LOG_GONE' || error.code === 'EXECUTION_NOT_FOUND');

/**
 * Events of one run after the other; skips runs that are gone or are removed while they are read.
 */
async function* eventsOf(
  runs: AsyncIterable<number>,
  of: (runId: number) => Promise<AsyncIterable<WatchedRunEvent> | null>,
): AsyncGenerator<WatchedRunEvent, void, undefined> {
  for await (const runId of runs) {
    try {
      const events = await of(runId);
      if (events) yield* events;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/**
 * One object per event for all readers, so that results can be cached by it. Who may see a run
 * never changes.
 */
const asWatched = new WeakMap<PublishedRunEvent, WatchedRunEvent>();

async function* watched(
  run: RunRecord,
  events: AsyncIterable<PublishedRunEvent>,
): AsyncGenerator<WatchedRunEvent, void, undefined> {
  for await (const event of events) {
    const known = asWatched.get(event) ?? { run, event };
    asWatched.set(event, known);
    yield known;
  }
}
