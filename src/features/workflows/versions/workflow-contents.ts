import { createCache } from '../../../platform/cache';
import type { Collection } from '../../../platform/store/collection';
import type { Store, Tx } from '../../../platform/store/store';
import { readStored } from '../document/stored-document';
import { freezeAll } from '../document/json';
import type { JsonObject } from '../document/json';
import type { WorkflowDocument } from '../document/workflow-document';
import type { ContentPartRecord, ContentRef } from '../workflow.model';
import { contentSchema } from '../workflow.model';
import { packJson, partIds, unpackJson } from '../document/packed-json';
import type { PackedJson, StoredPart } from '../document/packed-json';

/** Estimated memory of a parsed document per character of its JSON text. */
const BYTES_PER_CHARACTER = 5;

export type PackedContent = Pick<PackedJson, 'ref' | 'parts'>;

export interface ReadContent {
  readonly ref: ContentRef;
  /** Undefined if it is deleted. */
  readonly document: WorkflowDocument | undefined;
  /** Length of the JSON text, bytes; 0 if the document was cached. */
  readonly unpackedBytes: number;
}

/** Documents of workflows. Written once, never changed. */
export class WorkflowContents {
  private readonly contents: Collection<ContentPartRecord>;
  /** By content id. The content of an id never changes, so entries never expire. */
  private readonly cache = createCache<WorkflowDocument>('workflowDocuments');

  constructor(store: Store) {
    this.contents = store.collection<ContentPartRecord>(
      'WorkflowContent',
      contentSchema,
      'workflow_contents',
    );
  }

  /** Compresses a document. Call it outside of transactions. */
  async pack(id: string, document: WorkflowDocument): Promise<PackedContent> {
    const packed = await packJson(id, document);
    this.keep(id, document, packed.length);
    return packed;
  }

  async write({ parts }: PackedContent, tx: Tx): Promise<void> {
    await this.contents.insertMany(parts, tx);
  }

  async remove(refs: readonly ContentRef[], tx: Tx): Promise<void> {
    if (refs.length === 0) return;
    await this.contents.deleteMany({ _id: { $in: refs.flatMap(partIds) } }, tx);
  }

  /** The document if it is in memory. */
  cached({ id }: ContentRef): WorkflowDocument | undefined {
    return this.cache.get(id);
  }

  /**
   * The documents in the order of `refs`; undefined if deleted. At most one store call. Documents
   * are unpacked one at a time, as the caller iterates, to keep only one large document in memory.
   */
  async *each(refs: readonly ContentRef[]): AsyncGenerator<ReadContent, void, void> {
    const cached = new Map(refs.map(({ id }) => [id, this.cache.get(id)]));
    const missing = refs.filter(({ id }) => !cached.get(id)).flatMap(partIds);
    const rows =
      missing.length === 0 ? [] : await this.contents.find<StoredPart>({ _id: { $in: missing } });
    const parts = new Map(rows.map((part) => [part._id, part]));
    for (const ref of refs) {
      const document = cached.get(ref.id);
      yield document ? { ref, document, unpackedBytes: 0 } : await this.unpack(ref, parts);
    }
  }

  /** The documents by content id, without deleted ones. At most one store call. */
  async read(refs: readonly ContentRef[]): Promise<Map<string, WorkflowDocument>> {
    const documents = new Map<string, WorkflowDocument>();
    for await (const { ref, document } of this.each(refs))
      if (document) documents.set(ref.id, document);
    return documents;
  }

  private async unpack(
    ref: ContentRef,
    stored: ReadonlyMap<string, StoredPart>,
  ): Promise<ReadContent> {
    const parts = partIds(ref).map((id) => stored.get(id));
    if (!parts.every((part) => part !== undefined))
      return { ref, document: undefined, unpackedBytes: 0 };
    const { value, length } = await unpackJson(parts);
    const document = readStored(value as JsonObject);
    this.keep(ref.id, document, length);
    return { ref, document, unpackedBytes: length };
  }

  /** Caches and freezes a document, because all callers share it. */
  private keep(id: string, document: WorkflowDocument, characters: number): void {
    const size = Math.max(1, characters * BYTES_PER_CHARACTER);
    if (size > this.cache.maxEntrySize) return;
    freezeAll(document);
    this.cache.set(id, document, { size });
  }
}
