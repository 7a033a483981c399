import type { Model } from 'mongoose';
import type { Actor } from '../../../platform/access/actor';
import type { Core } from '../../../platform/core';
import { BadInput, DomainError } from '../../../platform/errors/errors';
import { SharedEvents } from '../../../platform/events/shared-events';
import { schemaOf } from '../../../platform/store/schema';
import type { Tx } from '../../../platform/store/store';
import { gapIn, requireSequence } from '../logs/logged-runs';
import { runNotFound } from '../run-records';
import type { RunRecords } from '../run-records';
import type { PublishedRunEvent } from '../run.events';
import type { RunRecord } from '../run.model';
import { maySee, requireVisible } from '../run.policy';
import type { RunEventFeed } from './run-event-feed';
import type { RunEventLog } from './run-event-log';

/** An event for a subscriber, with its run: permissions are checked for each event. */
export interface WatchedRunEvent {
  readonly run: RunRecord;
  readonly event: PublishedRunEvent;
}

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
        open: (place, until) => watched(run, this.deps.feed.read(run, place, until)),
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
    return this.eventsOfTests(actor, channelId, signal);
  }

  /**
   * Up to `limit` stored events after a sequence for each run, in one read. Runs that `follow`
   * would refuse have an error instead: EXECUTION_NOT_FOUND or RUN_LOG_GONE.
   * @throws BadInput if the sequence is negative
   * @throws Forbidden as `follow`
   */
  async readStored(
    actor: Actor,
    runs: readonly RunRecord[],
    afterSequence: number,
    limit: number,
  ): Promise<(readonly PublishedRunEvent[] | DomainError)[]> {
    requireSequence(afterSequence);
    for (const run of runs) requireVisible(actor, run);
    const ids = [...new Set(runs.filter((run) => maySee(actor, run)).map(({ _id }) => _id))];
    const read = await this.deps.log.readEach(ids, afterSequence, limit);
    const found = new Map(ids.map((id, index) => [id, read[index] ?? []]));
    return runs.map((run) => {
      const events = found.get(run._id);
      return events
        ? (gapIn(run, afterSequence, events) ?? events)
        : runNotFound(run._id, ['runId']);
    });
  }

  private async *eventsOfTests(
    actor: Actor,
    channelId: string,
    signal: AbortSignal,
  ): AsyncGenerator<WatchedRunEvent, void, undefined> {
    const { channels, records, feed } = this.deps;
    for await (const id of channels.follow(actor, channelId, signal)) {
      try {
        const run = await records.find(id);
        if (run && maySee(actor, run)) yield* watched(run, feed.read(run, 0, signal));
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof DomainError &&
  (error.code === 'RUN_LOG_GONE' || error.code === 'EXECUTION_NOT_FOUND');

/**
 * One object per event for all readers, so that results can be cached by it. Who may see a run
 * never changes.
 */
const watchedEvents = new WeakMap<PublishedRunEvent, WatchedRunEvent>();

async function* watched(
  run: RunRecord,
  events: AsyncIterable<PublishedRunEvent>,
): AsyncGenerator<WatchedRunEvent, void, undefined> {
  for await (const event of events) {
    const known = watchedEvents.get(event) ?? { run, event };
    watchedEvents.set(event, known);
    yield known;
  }
}

interface TestChannelRecord {
  /** User id, and the name that their client chose: channels are private to a user. */
  readonly _id: string;
  readonly runId: number;
  readonly expiresAt: Date;
}

const testChannelSchema = schemaOf<TestChannelRecord>({
  _id: String,
  runId: Number,
  expiresAt: Date,
});
testChannelSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** As long as the events of a run without logging are kept. */
const CHANNEL_MS = 24 * 60 * 60 * 1000;
/** Interval for reading tests that other processes start, whose bus is not shared, ms. */
const LOOK_MS = 1_000;

export const MAX_CHANNEL = 128;

export const isChannel = (text: string): boolean =>
  text !== '' && text.length <= MAX_CHANNEL && text.isWellFormed() && !/\p{Cc}/u.test(text);
export const CHANNEL_RULE = `Expected 1 to ${MAX_CHANNEL} characters, none of them a control character.`;

const keyOf = ({ userId }: Actor, channelId: string): string => `${userId} ${channelId}`;
const topicOf = (key: string): string => `run.channel.${key}`;

/**
 * A client chooses a channel, listens to it, and then starts a test that publishes there. Channels
 * are private to a user.
 */
export class TestChannels {
  private readonly channels: Model<TestChannelRecord>;

  constructor(private readonly core: Pick<Core, 'store' | 'bus' | 'clock'>) {
    this.channels = core.store.model<TestChannelRecord>(
      'TestChannel',
      testChannelSchema,
      'test_channels',
    );
  }

  /** Call in the transaction that stores the run. */
  async record(actor: Actor, channelId: string, runId: number, tx: Tx): Promise<void> {
    const { bus, clock } = this.core;
    const key = keyOf(actor, channelId);
    await this.channels.updateOne(
      { _id: key },
      { $set: { runId, expiresAt: new Date(clock.now().getTime() + CHANNEL_MS) } },
      { upsert: true, session: tx.session },
    );
    tx.afterCommit(() => bus.publish<number>(topicOf(key), runId));
  }

  /** The run of the last test of a channel, then those of later tests, until the signal aborts. */
  async *follow(
    actor: Actor,
    channelId: string,
    signal: AbortSignal,
  ): AsyncGenerator<number, void, undefined> {
    const key = keyOf(actor, channelId);
    const begun: number[] = [];
    let newest: number | null = null;
    let wake = (): void => undefined;
    const begin = (runId: number): void => {
      newest = runId;
      begun.push(runId);
      wake();
    };
    const unsubscribe = this.core.bus.subscribe<number>(topicOf(key), begin);
    try {
      while (!signal.aborted) {
        for (let runId = begun.shift(); runId !== undefined; runId = begun.shift()) yield runId;
        const before: number | null = newest;
        const stored = await this.newestOf(key);
        // A run published during the read is newer than the stored one.
        if (stored !== null && stored !== before && newest === before) begin(stored);
        if (begun.length === 0)
          await new Promise<void>((resolve) => {
            wake = whenWokenOr(signal, LOOK_MS, resolve);
          });
      }
    } finally {
      unsubscribe();
    }
  }

  private async newestOf(key: string): Promise<number | null> {
    const found = await this.channels
      .findOne({ _id: key, expiresAt: { $gt: this.core.clock.now() } })
      .lean<TestChannelRecord>();
    return found?.runId ?? null;
  }
}

/** Calls `resolve` once: when the returned function is called, on abort, or on timeout. */
function whenWokenOr(signal: AbortSignal, ms: number, resolve: () => void): () => void {
  const done = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, ms).unref();
  signal.addEventListener('abort', done, { once: true });
  if (signal.aborted) done();
  return done;
}
