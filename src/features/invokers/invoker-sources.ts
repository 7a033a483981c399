import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Store, Tx } from '../../platform/store/store';
import { bytesOf } from '../../platform/store/stored-bytes';
import type { StoredBytes } from '../../platform/store/stored-bytes';
import type { InvokerDefinition } from './invoker';
import { sourceSchema } from './invoker.model';
import type { SourceRecord, SourceRef } from './invoker.model';
import { readInvoker } from './xml/read-invoker';

/** What a definition weighs in memory for each byte of its XML, roughly. */
const WEIGHT = 8;
const MOST_BYTES = 64 * 1024 * 1024;
/** A large one would push out many that are asked for more often. */
const LARGEST = 24 * 1024 * 1024;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const compress = promisify(deflate);
const expand = promisify(inflate);

/** XML ready to be written. */
export interface PackedSource {
  readonly ref: SourceRef;
  readonly record: SourceRecord;
}

export type InvokerSources = ReturnType<typeof createInvokerSources>;

/** The XML of invokers, compressed; what it says is read from it again and kept in memory. Written once, never changed. */
export function createInvokerSources(store: Store) {
  const sources = store.model<SourceRecord>('InvokerSource', sourceSchema, 'invoker_sources');
  const definitions = new LRUCache<string, Promise<InvokerDefinition>>({ maxSize: MOST_BYTES, maxEntrySize: LARGEST });

  const read = async ({ id }: SourceRef): Promise<string | null> => {
    const found = await sources.findById(id).lean<StoredSource>();
    return found && (await expand(bytesOf(found.bytes))).toString();
  };

  return {
    /** Compresses outside of any transaction. */
    async pack(text: string): Promise<PackedSource> {
      const bytes = Buffer.from(withOwnDeclaration(text));
      const id = randomBytes(12).toString('hex');
      const hash = createHash('sha256').update(bytes).digest('hex');
      return { ref: { id, hash, bytes: bytes.length }, record: { _id: id, bytes: await compress(bytes) } };
    },

    async write({ record }: PackedSource, tx: Tx): Promise<void> {
      await sources.create([record], { session: tx.session });
    },

    async remove({ id }: SourceRef, tx: Tx): Promise<void> {
      await sources.deleteOne({ _id: id }, { session: tx.session });
    },

    /** The text; null when it was replaced or deleted meanwhile. */
    read,

    /** What it says; null when it was replaced or deleted meanwhile. Who comes while it is read waits for the same. */
    async definition(ref: SourceRef): Promise<InvokerDefinition | null> {
      const known = definitions.get(ref.id);
      if (known) return known;
      const text = await read(ref);
      if (text === null) return null;
      const reading = definitions.get(ref.id) ?? readInvoker(text, 'stored');
      definitions.set(ref.id, reading, { size: Math.max(1, ref.bytes * WEIGHT) });
      reading.catch(() => definitions.delete(ref.id));
      return reading;
    },
  };
}

/** Bytes said what they are; characters are kept as UTF-8. */
function withOwnDeclaration(text: string): string {
  // On the line of the root, so that lines in warnings are those of the file.
  if (!text.startsWith('<?xml')) return `${DECLARATION}${text}`;
  return `${DECLARATION}${text.slice(text.indexOf('?>') + 2)}`;
}

interface StoredSource {
  readonly _id: string;
  readonly bytes: StoredBytes;
}
