import { inTurns } from '../../../platform/event-loop';
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

/** Estimated memory of a parsed document per character of its JSON text. */
const BYTES_PER_CHARACTER = 5;
const MOST_BYTES = 48 * 1024 * 1024;
/** Larger documents are not cached: they would displace many that are used more often. */
const LARGEST = 6 * 1024 * 1024;

interface DocumentCache {
  get(contentId: string): WorkflowDocument | undefined;
  /**
   * Caches and freezes a document, because all callers share it. `characters`: length of its JSON
   * text.
   */
  keep(contentId: string, document: WorkflowDocument, characters: number): Promise<void>;
}

/** Parsed documents by content id. The content of an id never changes, so entries never expire. */
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

export type PackedContent = Pick<PackedJson, 'ref' | 'parts'>;

export interface ReadContent {
  readonly ref: ContentRef;
  /** Undefined if it is deleted. */
  readonly document: WorkflowDocument | undefined;
  /** Length of the JSON text, bytes; 0 if the document was cached. */
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
   * The documents in the order of `refs`; undefined if deleted. At most one store call. Documents
   * are unpacked one at a time, as the caller iterates, to keep only one large document in memory.
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
    /** Compresses a document. Call it outside of transactions. */
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

    /** The documents by content id, without deleted ones. At most one store call. */
    async read(refs: readonly ContentRef[]): Promise<Map<string, WorkflowDocument>> {
      const documents = new Map<string, WorkflowDocument>();
      for await (const { ref, document } of each(refs))
        if (document) documents.set(ref.id, document);
      return documents;
    },
  };
}
