import { LRUCache } from 'lru-cache';
import { inTurns } from '../../../platform/json/turns';
import { freezeAll } from '../json';
import type { WorkflowDocument } from '../workflow.document';

/** Bytes that documents take in memory are estimated from their text: what a parsed object weighs for each character. */
const BYTES_PER_CHARACTER = 5;
const MOST_BYTES = 48 * 1024 * 1024;
/** A large document would push out many that are asked for more often. */
const LARGEST = 6 * 1024 * 1024;

export interface DocumentCache {
  get(contentId: string): WorkflowDocument | undefined;
  /** Keeps a document; `characters` is the length of its JSON text. It cannot be changed any more then: all who ask are given the same. */
  keep(contentId: string, document: WorkflowDocument, characters: number): Promise<void>;
}

/** Parsed documents by content id. What has a content id never changes, so nothing here grows old. */
export function createDocumentCache(): DocumentCache {
  const documents = new LRUCache<string, WorkflowDocument>({ maxSize: MOST_BYTES, maxEntrySize: LARGEST });
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
