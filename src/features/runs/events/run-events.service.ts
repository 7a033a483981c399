import type { Actor } from '../../../platform/access/actor';
import { BadInput, DomainError } from '../../../platform/errors/errors';
import { SharedEvents } from '../../../platform/events/shared-events';
import { decodeCursor, encodeCursor } from '../../../platform/store/lists/keyset-cursor';
import type { CursorList } from '../../../platform/store/lists/keyset-cursor';
import { Page, sliceAfter } from '../../../platform/store/lists/page';
import { gapIn, requireCount, requireSequence } from '../logs/logged-runs';
import { runNotFound } from '../run-records';
import type { RunRecords } from '../run-records';
import type { PublishedRunEvent } from '../run.events';
import type { RunRecord } from '../run.model';
import { maySee, requireVisible } from '../run.policy';
import type { RunEventFeed, WatchedRunEvent } from './run-event-feed';
import type { RunEventLog } from './run-event-log';
import { CHANNEL_RULE, isChannel } from './test-channels.service';
import type { TestChannels } from './test-channels.service';

/** Part of the stored events of a run: after a cursor and after a sequence. */
interface EventsPage {
  readonly first: number;
  readonly after?: string | null;
  readonly afterSequence?: number | null;
}

const cursorListOf = (runId: number): CursorList => ({
  name: `RunEvent runId ${runId}`,
  order: [{ field: 'sequence', direction: 'asc' }],
});

/** Events of runs, as far as an actor may see them; other runs count as missing. */
export class RunEvents {
  constructor(
    private readonly deps: {
      readonly records: RunRecords;
      readonly feed: RunEventFeed;
      readonly log: RunEventLog;
      readonly channels: TestChannels;
    },
  ) {}

  /**
   * The events of a run after a sequence, gapless and in order, until it has ended.
   * @throws NotFound EXECUTION_NOT_FOUND; with `testsOnly` also for runs that are not tests
   * @throws Forbidden for actors who may see only their own tests
   * @throws Refused  RUN_LOG_GONE
   */
  async follow(
    actor: Actor,
    id: number,
    afterSequence: number,
    signal: AbortSignal,
    { testsOnly = false } = {},
  ): Promise<SharedEvents<WatchedRunEvent>> {
    const run = await this.deps.records.findVisible(actor, id);
    if (!run || (testsOnly && !run.test))
      throw runNotFound(id, ['runId'], testsOnly ? 'test run' : 'run');
    requireSequence(afterSequence);
    return new SharedEvents(
      {
        channel: `run ${id}`,
        start: afterSequence,
        placeOf: ({ event }) => event.sequence,
        open: (place, until) => this.deps.feed.read(run, place, until),
      },
      signal,
    );
  }

  /**
   * The events of the last test that the actor has started for a channel, from the first, then
   * those of each later test, until the signal aborts: a client that listens before it starts a
   * test misses none.
   * Skips the rest of a test whose log is removed.
   * @throws BadInput if the name of the channel is invalid
   */
  followChannel(
    actor: Actor,
    channelId: string,
    signal: AbortSignal,
  ): AsyncGenerator<WatchedRunEvent, void, undefined> {
    if (!isChannel(channelId))
      throw new BadInput('BAD_REQUEST', CHANNEL_RULE, { path: ['channelId'] });
    return this.eventsOf(this.deps.channels.follow(actor, channelId, signal), actor, signal);
  }

  /**
   * The events of the newest logged run of a schedule, if it has not ended long ago, then those of
   * later ones, until the signal aborts. Finds the schedules of the actor's own tests too.
   */
  followSchedule(
    actor: Actor,
    scheduleId: number,
    signal: AbortSignal,
  ): AsyncGenerator<WatchedRunEvent, void, undefined> {
    return this.eventsOf(
      this.deps.channels.followSchedule(actor, scheduleId, signal),
      actor,
      signal,
    );
  }

  /**
   * The same page of stored events for each run, in one read. Runs that `follow` would refuse have
   * an error instead: EXECUTION_NOT_FOUND or RUN_LOG_GONE.
   * @throws BadInput if the sequence is negative, or the cursor is not of this list
   * @throws Forbidden as `follow`
   */
  async pagesOf(
    actor: Actor,
    runs: readonly RunRecord[],
    { first, after, afterSequence }: EventsPage,
  ): Promise<(Page<PublishedRunEvent> | DomainError)[]> {
    const { log } = this.deps;
    requireCount(first);
    for (const run of runs) requireVisible(actor, run);
    const ids = [...new Set(runs.filter((run) => maySee(actor, run)).map(({ _id }) => _id))];
    const places =
      after == null ? [] : ids.map((id) => Number(decodeCursor(cursorListOf(id), after, 'after')));
    const from = Math.max(afterSequence ?? 0, ...places);
    requireSequence(from);
    const read = await log.readEach(ids, from, first + 1);
    const eventsByRun = new Map(ids.map((id, index) => [id, read[index] ?? []]));
    return runs.map((run) => {
      const { _id: id, lastSequence } = run;
      const events = eventsByRun.get(id);
      if (!events) return runNotFound(id, ['runId']);
      const slice = sliceAfter(events, { first, hasBefore: from > 0 }, ({ sequence }) =>
        encodeCursor(cursorListOf(id), [sequence]),
      );
      return (
        gapIn(run, from, events) ??
        new Page(
          () => Promise.resolve(slice),
          async () => lastSequence ?? log.lastSequence(id),
        )
      );
    });
  }

  private async *eventsOf(
    runIds: AsyncIterable<number>,
    actor: Actor,
    signal: AbortSignal,
  ): AsyncGenerator<WatchedRunEvent, void, undefined> {
    const { records, feed } = this.deps;
    for await (const id of runIds) {
      try {
        const run = await records.find(id);
        if (run && maySee(actor, run)) yield* feed.read(run, 0, signal);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof DomainError &&
  (error.code === 'RUN_LOG_GONE' || error.code === 'EXECUTION_NOT_FOUND');
