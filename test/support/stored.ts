import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { Server } from 'node:http';
import mongoose from 'mongoose';
import type { Connection } from 'mongoose';

/** The database of the service this test started, to prepare what no door can: data of older lines, records of the inside. */
export function storeConnection(): Connection {
  const connection = mongoose.connections.findLast(
    ({ readyState }) => readyState === mongoose.ConnectionStates.connected,
  );
  if (!connection) throw new Error('No service is running.');
  return connection;
}

/** Set in the course of a request, or of the work that is looked at: what the service does by its own clock, such as renewing leases, is neither. */
const asked = new AsyncLocalStorage<true>();

/** Runs `work` and tells which calls to the store it and the requests of the time made, as `collection.method`. */
export async function storeCalls(work: () => Promise<unknown>): Promise<string[]> {
  const spy = jest.spyOn(Server.prototype, 'emit').mockImplementation(function withContext(
    this: Server,
    event: string,
    ...given: unknown[]
  ): boolean {
    const told = (): boolean => EventEmitter.prototype.emit.apply(this, [event, ...given]);
    return event === 'request' ? asked.run(true, told) : told();
  });
  try {
    return await callsDuring(
      () => asked.run(true, work),
      () => asked.getStore() === true,
    );
  } finally {
    spy.mockRestore();
  }
}

/** Runs `work` and tells which calls to the store the whole service made meanwhile, as `collection.method`. */
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
