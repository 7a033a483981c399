import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { parseOwnJson } from '../../../platform/json/parse-json';
import { isLargeJson, jsonPieces } from '../../../platform/json/write-json';
import type { Store, Tx } from '../../../platform/store/store';
import { createDocumentCache } from './document-cache';
import type { WorkflowDocument } from '../workflow.document';
import type { ContentPartRecord, ContentRef } from '../workflow.model';
import { contentSchema } from '../workflow.model';

/** Bytes of one stored part: well below the 16 MB a document may have, whatever the workflow weighs. */
const PART_BYTES = 4 * 1024 * 1024;

const compress = promisify(deflate);
const expand = promisify(inflate);

/** A document ready to be written. */
export interface PackedContent {
  readonly ref: ContentRef;
  readonly parts: readonly ContentPartRecord[];
}

/**
 * Documents of workflows, kept as compressed JSON text, in parts: so keys with dots, dollars or `__proto__` come back as they came,
 * and a workflow may be larger than one document of the store. Written once, never changed.
 */
export function createWorkflowContents(store: Store) {
  const cache = createDocumentCache();
  const contents = store.model<ContentPartRecord>('WorkflowContent', contentSchema, 'workflow_contents');
  const partIds = ({ id, parts }: ContentRef): string[] => Array.from({ length: parts }, (_, part) => `${id}/${part}`);

  return {
    /** Compresses outside of any transaction. */
    async pack(versionId: string, document: WorkflowDocument): Promise<PackedContent> {
      const { text, hash } = await textOf(document);
      await cache.keep(versionId, document, text.length);
      const bytes = await compress(text);
      const parts: ContentPartRecord[] = [];
      for (let from = 0; from < bytes.length; from += PART_BYTES) {
        parts.push({ _id: `${versionId}/${parts.length}`, bytes: bytes.subarray(from, from + PART_BYTES) });
      }
      return { ref: { id: versionId, parts: parts.length, hash }, parts };
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
      const bytes = new Map(found.map((part) => [part._id, bytesOf(part.bytes)]));
      for (const ref of unknown) {
        const parts = partIds(ref).map((id) => bytes.get(id));
        if (!parts.every((part) => part !== undefined)) continue;
        const text = await expand(Buffer.concat(parts));
        const document = (await parseOwnJson(text)) as WorkflowDocument;
        await cache.keep(ref.id, document, text.length);
        documents.set(ref.id, document);
      }
      return documents;
    },
  };
}

/** The JSON text of a document, as bytes, and its hash; written in pieces where it is large. */
async function textOf(document: WorkflowDocument): Promise<{ text: Buffer; hash: string }> {
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  for await (const piece of isLargeJson(document) ? jsonPieces(document) : [JSON.stringify(document)]) {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    pieces.push(bytes);
  }
  return { text: Buffer.concat(pieces), hash: hash.digest('hex') };
}

/** Binary comes from the driver as its own class. */
interface StoredPart {
  readonly _id: string;
  readonly bytes: Buffer | { readonly buffer: Uint8Array };
}

const bytesOf = (bytes: StoredPart['bytes']): Buffer => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer));
