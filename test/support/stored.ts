import mongoose from 'mongoose';
import type { Connection } from 'mongoose';

/** The database of the service this test started, to prepare what no door can: data of older lines, records of the inside. */
export function storeConnection(): Connection {
  const connection = mongoose.connections.findLast(({ readyState }) => readyState === mongoose.ConnectionStates.connected);
  if (!connection) throw new Error('No service is running.');
  return connection;
}

/** Runs `work` and tells which calls to the store it made, as `collection.method`. */
export async function storeCalls(work: () => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  mongoose.set('debug', (collection: string, method: string) => { calls.push(`${collection}.${method}`); });
  try {
    await work();
  } finally {
    mongoose.set('debug', false);
  }
  return calls;
}
