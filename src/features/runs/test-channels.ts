import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import { schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';

/** The last test that a user started for a channel. */
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
const KEPT_MS = 24 * 60 * 60 * 1000;
/** Interval for reading tests that other processes start, whose bus is not shared, ms. */
const LOOK_MS = 1_000;

export const LONGEST_CHANNEL = 128;

/** Whether a text is a valid name of a channel. */
export const isChannel = (text: string): boolean =>
  text !== '' && text.length <= LONGEST_CHANNEL && text.isWellFormed() && !/\p{Cc}/u.test(text);
export const CHANNEL_RULE = `Expected 1 to ${LONGEST_CHANNEL} characters, none of them a control character.`;

export type TestChannels = ReturnType<typeof createTestChannels>;

/**
 * A client chooses a channel, listens to it, and then starts a test that publishes there. Channels
 * are private to a user.
 */
export function createTestChannels({
  store,
  bus,
  clock,
}: {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
}) {
  const channels = store.model<TestChannelRecord>(
    'TestChannel',
    testChannelSchema,
    'test_channels',
  );
  const keyOf = ({ userId }: Actor, channelId: string): string => `${userId} ${channelId}`;
  const topicOf = (key: string): string => `run.channel.${key}`;

  const newestOf = async (key: string): Promise<number | null> =>
    (
      await channels
        .findOne({ _id: key, expiresAt: { $gt: clock.now() } })
        .lean<TestChannelRecord>()
    )?.runId ?? null;

  return {
    /** Call in the transaction that stores the run. */
    async note(actor: Actor, channelId: string, runId: number, tx: Tx): Promise<void> {
      const key = keyOf(actor, channelId);
      await channels.updateOne(
        { _id: key },
        { $set: { runId, expiresAt: new Date(clock.now().getTime() + KEPT_MS) } },
        { upsert: true, session: tx.session },
      );
      tx.afterCommit(() => bus.publish<number>(topicOf(key), runId));
    },

    /**
     * The run of the last test of a channel, then those of later tests, until the signal aborts.
     */
    async *follow(
      actor: Actor,
      channelId: string,
      signal: AbortSignal,
    ): AsyncGenerator<number, void, undefined> {
      const key = keyOf(actor, channelId);
      const begun: number[] = [];
      let newest: number | null = null;
      let wake = (): void => undefined;
      const begins = (runId: number): void => {
        newest = runId;
        begun.push(runId);
        wake();
      };
      const unsubscribe = bus.subscribe<number>(topicOf(key), begins);
      try {
        while (!signal.aborted) {
          for (let runId = begun.shift(); runId !== undefined; runId = begun.shift()) yield runId;
          const before: number | null = newest;
          const stored = await newestOf(key);
          // A run published during the read is newer than the stored one.
          if (stored !== null && stored !== before && newest === before) begins(stored);
          if (begun.length === 0)
            await new Promise<void>((resolve) => {
              wake = whenWokenOr(signal, LOOK_MS, resolve);
            });
        }
      } finally {
        unsubscribe();
      }
    },
  };
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
