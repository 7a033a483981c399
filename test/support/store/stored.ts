import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { Server } from 'node:http';
import mongoose from 'mongoose';
import type { Connection } from 'mongoose';

/** The database of the service under test, to prepare data that no API can write. */
export function storeConnection(): Connection {
  const connection = mongoose.connections.findLast(
    ({ readyState }) => readyState === mongoose.ConnectionStates.connected,
  );
  if (!connection) throw new Error('No service is running.');
  return connection;
}

/** Marks the async context of observed work, which excludes background work such as lease renewal. */
const observation = new AsyncLocalStorage<true>();

/** Makes the service forget the reads that it remembers: a change of the catalog concerns all of them. */
async function forgetReads(): Promise<void> {
  await storeConnection().createCollection('forget');
  await storeConnection().dropCollection('forget');
}

/**
 * Runs `work` and returns its store calls, including those of concurrent requests, as `collection.method`.
 * Without `remembers`, the service remembers no earlier read.
 */
export async function storeCalls(
  work: () => Promise<unknown>,
  { remembers = false } = {},
): Promise<string[]> {
  if (!remembers) await forgetReads();
  const spy = jest.spyOn(Server.prototype, 'emit').mockImplementation(function withContext(
    this: Server,
    event: string,
    ...given: unknown[]
  ): boolean {
    const emit = (): boolean => EventEmitter.prototype.emit.apply(this, [event, ...given]);
    return event === 'request' ? observation.run(true, emit) : emit();
  });
  try {
    return await callsDuring(
      () => observation.run(true, work),
      () => observation.getStore() === true,
    );
  } finally {
    spy.mockRestore();
  }
}

/** Runs `work` and returns all store calls of the service in that time, as `collection.method`. */
export const allStoreCalls = (work: () => Promise<unknown>): Promise<string[]> =>
  callsDuring(work, () => true);

async function callsDuring(work: () => Promise<unknown>, counts: () => boolean): Promise<string[]> {
  const calls: string[] = [];
  mongoose.set('debug', (collection: string, method: string) => {
    if (counts()) calls.push(`${collection}.${method}`);
  });
  try {
    await work();
  } finally {
    mongoose.set('debug', false);
  }
  return calls;
}
