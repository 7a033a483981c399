import { inTurns } from '../../../platform/json/turns';
import type { Store, Tx } from '../../../platform/store/store';
import { readStored } from '../conversion/stored-document';
import type { JsonObject } from '../json';
import { createDocumentCache } from './document-cache';
import { packJson, partIds, unpackJson } from './packed-json';
import type { PackedJson, StoredPart } from './packed-json';
import type { WorkflowDocument } from '../workflow.document';
import type { ContentPartRecord, ContentRef } from '../workflow.model';
import { contentSchema } from '../workflow.model';

/** A document ready to be written. */
export type PackedContent = Pick<PackedJson, 'ref' | 'parts'>;

/** Documents of workflows. Written once, never changed. */
export function createWorkflowContents(store: Store) {
  const cache = createDocumentCache();
  const contents = store.model<ContentPartRecord>('WorkflowContent', contentSchema, 'workflow_contents');

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

    /** The documents by content id; those that are gone are missing. One store call at most, however many. */
    async read(refs: readonly ContentRef[]): Promise<Map<string, WorkflowDocument>> {
      const documents = new Map<string, WorkflowDocument>();
      const unknown = refs.filter(({ id }) => {
        const kept = cache.get(id);
        if (kept) documents.set(id, kept);
        return !kept;
      });
      if (unknown.length === 0) return documents;
      const found = await contents.find({ _id: { $in: unknown.flatMap(partIds) } }).lean<StoredPart[]>();
      const known = new Map(found.map((part) => [part._id, part]));
      for (const ref of unknown) {
        const parts = partIds(ref).map((id) => known.get(id));
        if (!parts.every((part) => part !== undefined)) continue;
        const { value, length } = await unpackJson(parts);
        const document = await inTurns((turn) => readStored(value as JsonObject, turn));
        await cache.keep(ref.id, document, length);
        documents.set(ref.id, document);
      }
      return documents;
    },
  };
}
