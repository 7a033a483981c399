import { LRUCache } from 'lru-cache';
import type { WorkflowDocument } from './workflow.document';

/** Bytes that documents take in memory are estimated from their text: what a parsed object weighs for each character. */
const BYTES_PER_CHARACTER = 5;
const MOST_BYTES = 48 * 1024 * 1024;
/** A large document would push out many that are asked for more often. */
const LARGEST = 6 * 1024 * 1024;

export interface DocumentCache {
  get(contentId: string): WorkflowDocument | undefined;
  /** Keeps a document; `characters` is the length of its JSON text. From now on it cannot be changed. */
  keep(contentId: string, document: WorkflowDocument, characters: number): void;
}

/** Parsed documents by content id. What has a content id never changes, so nothing here grows old. */
export function createDocumentCache(): DocumentCache {
  const documents = new LRUCache<string, WorkflowDocument>({ maxSize: MOST_BYTES, maxEntrySize: LARGEST });
  return {
    get: (contentId) => documents.get(contentId),
    keep(contentId, document, characters) {
      const size = Math.max(1, characters * BYTES_PER_CHARACTER);
      if (size <= LARGEST) documents.set(contentId, frozen(document), { size });
    },
  };
}

/** All who ask are given the same object. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const field of Object.values(value)) frozen(field);
  return value;
}
