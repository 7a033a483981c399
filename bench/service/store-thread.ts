import { Socket } from 'node:net';
import {
  getEnvironmentData,
  isMainThread,
  setEnvironmentData,
  workerData,
} from 'node:worker_threads';

/*
 * For programs that are loaded into the service before it starts (`--require`), and so into its threads as well.
 */

/** Calls `act` before each transaction that the thread of the embedded store commits; in other threads, does nothing. */
export function beforeCommits(act: () => void): void {
  if (isMainThread || workerData?.changeMemory === undefined) return;
  const lmdb = require('lmdb');
  const { open } = lmdb;
  lmdb.open = (...options: unknown[]) => {
    const database = open(...options);
    const commit = database.transactionSync;
    database.transactionSync = (...work: unknown[]) => {
      act();
      return commit.apply(database, work);
    };
    return database;
  };
}

/** What the service has asked of its embedded store so far. */
export interface StoreWork {
  readonly commands: number;
  readonly commits: number;
}

const NAME = 'work of the store';
/** In each message of the driver. */
const [CODE_AT, COMMAND_CODE] = [12, 2_013];

/** Counts in both threads from now on. */
export function countStoreWork(): () => StoreWork {
  const counts = isMainThread
    ? new Int32Array(new SharedArrayBuffer(8))
    : (getEnvironmentData(NAME) as unknown as Int32Array);
  beforeCommits(() => Atomics.add(counts, 1, 1));
  if (isMainThread) {
    setEnvironmentData(NAME, counts);
    const write = Reflect.get(Socket.prototype, 'write') as (...data: unknown[]) => boolean;
    Socket.prototype.write = function counted(this: Socket, ...data: unknown[]) {
      const [message] = data;
      if (
        Buffer.isBuffer(message) &&
        message.length > CODE_AT + 4 &&
        message.readInt32LE(CODE_AT) === COMMAND_CODE
      )
        counts[0] += 1;
      return write.apply(this, data);
    };
  }
  return () => ({ commands: counts[0], commits: Atomics.load(counts, 1) });
}
