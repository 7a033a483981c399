import { LRUCache } from 'lru-cache';
import type { InvokerReading } from './invoker-reading';
import type { InvokerRecord } from './invoker.model';

/** Characters of names that are kept in memory: those of thousands of invokers. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Names that are looked for at once: somebody may send a document that names very many. */
const BATCH = 500;

/** What workflows ask of invokers: `KnownInvokers` of their ports. */
export function createKnownInvokers({ reading }: { reading: Pick<InvokerReading, 'rowsByName' | 'invokerOf'> }) {
  // By the text they stand in, which never changes. What a large invoker says is not kept in memory itself: it would be read each time.
  const offered = new LRUCache<string, ReadonlySet<string>>({ maxSize: MOST_CHARACTERS });

  /** Null: it was deleted meanwhile. */
  const operationsOf = async (row: InvokerRecord): Promise<ReadonlySet<string> | null> => {
    const known = offered.get(row.source.id);
    if (known) return known;
    const invoker = await reading.invokerOf(row);
    if (!invoker) return null;
    const names = invoker.operations.map(({ name }) => name);
    const operations = new Set(names);
    // One that was replaced meanwhile has another text.
    if (invoker.version === row.version) offered.set(row.source.id, operations, { size: names.reduce((sum, { length }) => sum + length, 1) });
    return operations;
  };

  return {
    /** The names of the operations of those that exist, by the name that was asked for. */
    async operations(names: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
      const found = new Map<string, ReadonlySet<string>>();
      for (let from = 0; from < names.length; from += BATCH) {
        for (const [name, row] of await reading.rowsByName(names.slice(from, from + BATCH))) {
          const operations = await operationsOf(row);
          if (operations) found.set(name, operations);
        }
      }
      return found;
    },
  };
}
