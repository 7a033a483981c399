import type { Migration } from './migrations';
import { unless } from './store-codes';

/** A migration that drops indexes, by name, which this version's queries no longer use. */
export const dropIndexes = (collection: string, indexes: readonly string[]): Migration => ({
  name: `indexes of ${collection} that nothing uses are dropped`,
  async run({ store }) {
    for (const index of indexes) {
      await store.connection.collection(collection).dropIndex(index).catch(unless('indexNotFound'));
    }
  },
});
