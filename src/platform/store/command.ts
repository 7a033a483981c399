import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { noAnswer } from './failure';

/** Time for an answer, ms. */
const ANSWER_MS = 2_000;

/**
 * Sends a command to the database. The driver waits for the answer as long as its socket may be
 * silent, and its option `timeoutMS` does nothing: this waits for two seconds.
 * @throws Unavailable there was no answer in time
 */
export async function answeredCommand(
  { db }: Pick<Connection, 'db'>,
  command: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const answered = new AbortController();
  const late = async (): Promise<never> => {
    await delay(ANSWER_MS, undefined, { ref: false, signal: answered.signal });
    throw noAnswer();
  };
  try {
    return (await Promise.race([db?.command(command), late()])) ?? {};
  } finally {
    answered.abort();
  }
}
