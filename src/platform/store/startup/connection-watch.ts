import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { answeredCommand } from '../command';

/** Interval of pings; time without an answer after which a new connection is tried, ms. */
const INTERVAL_MS = 5_000;
const SILENCE_MS = 20_000;

export interface ConnectionWatch {
  /** Rejects when only a new connection reaches the database. */
  readonly failed: Promise<never>;
  stop(): void;
}

/**
 * Finds out whether the driver has lost a database that can be reached: after connections were cut
 * under load, it sometimes does not connect again. Only a new process helps then.
 * @param reachAgain rejects if a new connection does not reach the database either
 */
export function watchConnection(
  connection: Pick<Connection, 'db'>,
  reachAgain: () => Promise<void>,
  [intervalMs, silenceMs]: readonly [number, number] = [INTERVAL_MS, SILENCE_MS],
): ConnectionWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  const isReached = (ping: Promise<unknown>): Promise<boolean> =>
    ping.then(
      () => true,
      () => false,
    );
  const ping = (): Promise<boolean> => isReached(answeredCommand(connection, { ping: 1 }));

  async function watch(): Promise<void> {
    let answeredAt = performance.now();
    while (!signal.aborted) {
      await pause(intervalMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (await ping()) answeredAt = performance.now();
      else if (
        performance.now() - answeredAt > silenceMs &&
        (await isReached(reachAgain())) &&
        !(await ping()) &&
        !signal.aborted
      )
        throw new Error(
          'The database answers a new connection, but not those of the service. It ends, so that it is started again.',
        );
    }
  }

  const failed = new Promise<never>((_, reject) => {
    watch().catch(reject);
  });
  // Avoid an unhandled rejection until the caller subscribes.
  failed.catch(() => undefined);
  return { failed, stop: () => stopping.abort() };
}
