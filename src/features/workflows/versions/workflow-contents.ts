import { inTurns } from '../../../platform/json/turns';
import type { Store, Tx } from '../../../platform/store/store';
import { readStored } from '../conversion/stored-document';
import type { JsonObject } from '../json';
import { packJson, partIds, unpackJson } from './packed-json';
import type { PackedJson, StoredPart } from './packed-json';
import type { WorkflowDocument } from '../workflow.document';
import type { ContentPartRecord, ContentRef } from '../workflow.model';
import { contentSchema } from '../workflow.model';
import { LRUCache } from 'lru-cache';
import { freezeAll } from '../json';

/** Bytes that documents take in memory are estimated from their text: what a parsed object weighs for each character. */
const BYTES_PER_CHARACTER = 5;
const MOST_BYTES = 48 * 1024 * 1024;
/** A large document would push out many that are asked for more often. */
const LARGEST = 6 * 1024 * 1024;

interface DocumentCache {
  get(contentId: string): WorkflowDocument | undefined;
  /** Keeps a document; `characters` is the length of its JSON text. It cannot be changed any more then: all who ask are given the same. */
  keep(contentId: string, document: WorkflowDocument, characters: number): Promise<void>;
}

/** Parsed documents by content id. What has a content id never changes, so nothing here grows old. */
function createDocumentCache(): DocumentCache {
  const documents = new LRUCache<string, WorkflowDocument>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST,
  });
  return {
    get: (contentId) => documents.get(contentId),
    async keep(contentId, document, characters) {
      const size = Math.max(1, characters * BYTES_PER_CHARACTER);
      if (size > LARGEST) return;
      await inTurns((turn) => freezeAll(document, turn));
      documents.set(contentId, document, { size });
    },
  };
}

/** A document ready to be written. */
export type PackedContent = Pick<PackedJson, 'ref' | 'parts'>;

export interface ReadContent {
  readonly ref: ContentRef;
  /** Undefined: it is gone. */
  readonly document: WorkflowDocument | undefined;
  /** Bytes of its JSON text; 0 where the document was in memory already. */
  readonly unpackedBytes: number;
}

/** Documents of workflows. Written once, never changed. */
export function createWorkflowContents(store: Store) {
  const cache = createDocumentCache();
  const contents = store.model<ContentPartRecord>(
    'WorkflowContent',
    contentSchema,
    'workflow_contents',
  );

  /**
   * The documents in the order of `refs`, undefined for one that is gone. One store call at most, however many; each document is unpacked when it is
   * asked for, so that one large document at a time is in memory.
   */
  async function* each(refs: readonly ContentRef[]): AsyncGenerator<ReadContent, void, void> {
    const kept = new Map(refs.map(({ id }) => [id, cache.get(id)]));
    const unknown = refs.filter(({ id }) => !kept.get(id));
    const found =
      unknown.length === 0
        ? []
        : await contents.find({ _id: { $in: unknown.flatMap(partIds) } }).lean<StoredPart[]>();
    const parts = new Map(found.map((part) => [part._id, part]));
    for (const ref of refs) {
      const document = kept.get(ref.id);
      yield document
        ? { ref, document, unpackedBytes: 0 }
        : await unpacked(
            ref,
            partIds(ref).map((id) => parts.get(id)),
          );
    }
  }

  async function unpacked(
    ref: ContentRef,
    parts: readonly (StoredPart | undefined)[],
  ): Promise<ReadContent> {
    if (!parts.every((part) => part !== undefined))
      return { ref, document: undefined, unpackedBytes: 0 };
    const { value, length } = await unpackJson(parts);
    const document = await inTurns((turn) => readStored(value as JsonObject, turn));
    await cache.keep(ref.id, document, length);
    return { ref, document, unpackedBytes: length };
  }

  return {
    /** Compresses outside of any transaction. */
    async pack(id: string, document: WorkflowDocument): Promise<PackedContent> {
      const packed = await packJson(id, document);
      await cache.keep(id, document, packed.length);
      return packed;
    },

    async write({ parts }: PackedContent, tx: Tx): Promise<void> {
      await contents.insertMany(parts, { session: tx.session });
    },

    async remove(refs: readonly ContentRef[], tx: Tx): Promise<void> {
      if (refs.length === 0) return;
      await contents.deleteMany({ _id: { $in: refs.flatMap(partIds) } }, { session: tx.session });
    },

    each,

    /** The documents by content id; those that are gone are missing. One store call at most, however many. */
    async read(refs: readonly ContentRef[]): Promise<Map<string, WorkflowDocument>> {
      const documents = new Map<string, WorkflowDocument>();
      for await (const { ref, document } of each(refs))
        if (document) documents.set(ref.id, document);
      return documents;
    },
  };
}
