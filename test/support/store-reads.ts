import mongoose from 'mongoose';

/** The filters that were looked for in a collection by the services of this process, since `start`. */
export interface StoreReads {
  readonly filters: Record<string, any>[];
  readonly stop: () => void;
}

/** Listens to what mongoose asks of a collection: one entry for each `find`. */
export function storeReads(collection: string): StoreReads {
  const filters: Record<string, any>[] = [];
  mongoose.set('debug', (name: string, method: string, filter: Record<string, any>) => {
    if (name === collection && method === 'find') filters.push(filter);
  });
  return { filters, stop: () => void mongoose.set('debug', false) };
}
