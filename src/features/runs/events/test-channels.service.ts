import type { Actor } from '../../../platform/access/actor';
import type { Core } from '../../../platform/core';
import type { Collection } from '../../../platform/store/collection';
import { resolvedAfter } from '../../../platform/store/lists/live-list';
import { schemaOf } from '../../../platform/store/schema';
import type { Tx } from '../../../platform/store/store';
import type { RunRecords } from '../run-records';
import { RUN_TOPIC } from '../run.events';
import type { RunChanged } from '../run.events';
import type { RunRecord } from '../run.model';
import { UNFINISHED } from '../run.model';
import { BOTH_KINDS } from '../run.policy';

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

/** A run that was queued so long ago is not live any more, ms. */
const RECENT_MS = 60_000;

export const MAX_CHANNEL = 128;

export const isChannel = (text: string): boolean =>
  text !== '' && text.length <= MAX_CHANNEL && text.isWellFormed() && !/\p{Cc}/u.test(text);
export const CHANNEL_RULE = `Expected 1 to ${MAX_CHANNEL} characters, none of them a control character.`;

/** No client can choose this name. */
const channelOfSchedule = (scheduleId: number): string => `\u0001${scheduleId}`;

const keyOf = ({ userId }: Actor, channelId: string): string => `${userId} ${channelId}`;
const topicOf = (key: string): string => `run.channel.${key}`;

/**
 * A client chooses a channel, listens to it, and then starts a test that publishes there. Channels
 * are private to a user.
 */
export class TestChannels {
  private readonly channels: Collection<TestChannelRecord>;

  constructor(
    private readonly core: Pick<Core, 'store' | 'bus' | 'clock'>,
    private readonly runs: Pick<RunRecords, 'collection'>,
  ) {
    this.channels = core.store.collection<TestChannelRecord>(
      'TestChannel',
      testChannelSchema,
      'test_channels',
    );
  }

  /** Call in the transaction that stores the run. */
  async record(actor: Actor, channelId: string, runId: number, tx: Tx): Promise<void> {
    const { bus, clock } = this.core;
    const key = keyOf(actor, channelId);
    await this.channels.upsert(
      { _id: key },
      { $set: { runId, expiresAt: new Date(clock.now().getTime() + CHANNEL_MS) } },
      tx,
    );
    tx.afterCommit(() => bus.publish<number>(topicOf(key), runId));
  }

  /** As `record`, for clients that know the schedule of the test. */
  recordSchedule(actor: Actor, scheduleId: number, runId: number, tx: Tx): Promise<void> {
    return this.record(actor, channelOfSchedule(scheduleId), runId, tx);
  }

  /** The run of the last test of a channel, then those of later tests, until the signal aborts. */
  follow(
    actor: Actor,
    channelId: string,
    signal: AbortSignal,
  ): AsyncGenerator<number, void, undefined> {
    const key = keyOf(actor, channelId);
    return followNewest({
      listen: (begin) => this.core.bus.subscribe<number>(topicOf(key), begin),
      readNewest: () => this.newestOf(key),
      signal,
    });
  }

  /**
   * The newest logged run of a schedule, unless it is old and has ended, then each later one, until
   * the signal aborts.
   */
  followSchedule(
    actor: Actor,
    scheduleId: number,
    signal: AbortSignal,
  ): AsyncGenerator<number, void, undefined> {
    const { bus, clock } = this.core;
    const key = keyOf(actor, channelOfSchedule(scheduleId));
    const since = new Date(clock.now().getTime() - RECENT_MS);
    return followNewest({
      listen(begin) {
        const stops = [
          bus.subscribe<number>(topicOf(key), begin),
          bus.subscribe<RunChanged>(RUN_TOPIC, ({ state }) => {
            if (state === 'QUEUED') begin(null);
          }),
        ];
        return () => stops.forEach((stop) => stop());
      },
      readNewest: async () =>
        (await this.newestOf(key)) ?? (await this.newestOfSchedule(scheduleId, since)),
      signal,
    });
  }

  private async newestOfSchedule(scheduleId: number, since: Date): Promise<number | null> {
    const run = await this.runs.collection.findOne<
      Pick<RunRecord, '_id' | 'state' | 'queuedAt' | 'logging'>
    >(
      { test: BOTH_KINDS, scheduleId },
      { fields: { state: 1, queuedAt: 1, logging: 1 }, sort: { queuedAt: -1, _id: -1 } },
    );
    if (!run?.logging) return null;
    return UNFINISHED.includes(run.state) || run.queuedAt >= since ? run._id : null;
  }

  private async newestOf(key: string): Promise<number | null> {
    const channel = await this.channels.findOne({
      _id: key,
      expiresAt: { $gt: this.core.clock.now() },
    });
    return channel?.runId ?? null;
  }
}

interface NewestRuns {
  /** Calls `begin` for each run that starts; with null if one may have started. */
  readonly listen: (begin: (runId: number | null) => void) => () => void;
  readonly readNewest: () => Promise<number | null>;
  readonly signal: AbortSignal;
}

/** Yields the newest run, then each later one, until the signal aborts. */
async function* followNewest({
  listen,
  readNewest,
  signal,
}: NewestRuns): AsyncGenerator<number, void, undefined> {
  const begun: number[] = [];
  let newest: number | null = null;
  let isNoticed = false;
  let wake = (): void => undefined;
  const begin = (runId: number | null): void => {
    if (runId === null) isNoticed = true;
    else {
      newest = runId;
      begun.push(runId);
    }
    wake();
  };
  const unsubscribe = listen(begin);
  try {
    while (!signal.aborted) {
      for (let runId = begun.shift(); runId !== undefined; runId = begun.shift()) yield runId;
      const before: number | null = newest;
      isNoticed = false;
      const stored = await readNewest();
      // A run published during the read is newer than the stored one.
      if (stored !== null && stored !== before && newest === before) begin(stored);
      if (begun.length === 0 && !isNoticed)
        await resolvedAfter(signal, LOOK_MS, (done) => {
          wake = done;
        });
    }
  } finally {
    unsubscribe();
  }
}
