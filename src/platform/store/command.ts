import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { Unavailable } from '../errors/errors';

/**
 * Sends a command to the database. The driver waits for the answer as long as its socket may be
 * silent; its option `timeoutMS` does nothing.
 * @throws Unavailable there was no answer within `ms`
 */
export async function commandWithin(
  { db }: Pick<Connection, 'db'>,
  command: Readonly<Record<string, unknown>>,
  ms: number,
): Promise<Record<string, unknown>> {
  const answered = new AbortController();
  const late = async (): Promise<never> => {
    await delay(ms, undefined, { ref: false, signal: answered.signal });
    throw new Unavailable('The database does not answer. Try again.');
  };
  try {
    return (await Promise.race([db?.command(command), late()])) ?? {};
  } finally {
    answered.abort();
  }
}
