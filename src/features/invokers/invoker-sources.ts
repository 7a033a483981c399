import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Contained } from '../../platform/contained/tasks';
import { parseOwnJson } from '../../platform/json/parse-json';
import type { Store, Tx } from '../../platform/store/store';
import { bytesOf } from '../../platform/store/stored-bytes';
import type { StoredBytes } from '../../platform/store/stored-bytes';
import type { InvokerDefinition } from './invoker';
import { sourceSchema } from './invoker.model';
import type { SourceRecord, SourceRef } from './invoker.model';
import type { PackedSource } from './invoker-packing';
import type { InvokerTasks } from './invoker-tasks';

/** Approximate size of a definition in memory for each byte of its XML. */
const WEIGHT = 8;
const MOST_BYTES = 64 * 1024 * 1024;
/** Larger ones are not cached: they would evict many that are used more often. */
const LARGEST = 24 * 1024 * 1024;

const expand = promisify(inflate);

export type InvokerSources = ReturnType<typeof createInvokerSources>;

/** Stores compressed XML, which is never changed, and caches its parsed definitions. */
export function createInvokerSources(store: Store, contained: Contained<InvokerTasks>) {
  const sources = store.model<SourceRecord>('InvokerSource', sourceSchema, 'invoker_sources');
  const definitions = new LRUCache<string, Promise<InvokerDefinition>>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST,
  });

  const read = async ({ id }: SourceRef, tx?: Tx): Promise<string | null> => {
    const found = await sources.findById(id, null, { session: tx?.session }).lean<StoredSource>();
    return found && (await expand(bytesOf(found.bytes))).toString();
  };

  /** Transferred as JSON, which is parsed in time slices wherever the XML was parsed. */
  const define = async (text: string): Promise<InvokerDefinition> =>
    (await parseOwnJson(
      await contained.run('invokerDefinition', text, { size: text.length, isPatient: true }),
    )) as InvokerDefinition;

  return {
    async write({ record }: PackedSource, tx: Tx): Promise<void> {
      await sources.create([record], { session: tx.session });
    },

    async remove({ id }: SourceRef, tx: Tx): Promise<void> {
      await sources.deleteOne({ _id: id }, { session: tx.session });
    },

    /** Returns the text, or null if it was replaced or deleted. */
    read: (ref: SourceRef): Promise<string | null> => read(ref),

    /**
     * Returns the parsed definition, or null if it was replaced or deleted. Concurrent callers
     * share one read.
     * @param tx the transaction that wrote it
     */
    async definition(ref: SourceRef, tx?: Tx): Promise<InvokerDefinition | null> {
      const known = definitions.get(ref.id);
      if (known) return known;
      const text = await read(ref, tx);
      if (text === null) return null;
      const reading = definitions.get(ref.id) ?? define(text);
      definitions.set(ref.id, reading, { size: Math.max(1, ref.bytes * WEIGHT) });
      reading.catch(() => definitions.delete(ref.id));
      return reading;
    },
  };
}

interface StoredSource {
  readonly _id: string;
  readonly bytes: StoredBytes;
}
