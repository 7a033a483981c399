import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { DocumentSize } from './document-limits';

/** Caps of what is remembered. A node of a parsed document takes about 300 bytes. */
const MOST = { documents: 1_000, nodes: 200_000 } as const;

/** A document that was found valid, with what was counted in it. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly size: DocumentSize;
}

/** Parsed and valid documents by the SHA-256 of their text; the least recently used ones make room. */
export type DocumentCache = LRUCache<string, KnownDocument>;

export const createDocumentCache = (): DocumentCache =>
  new LRUCache({ max: MOST.documents, maxSize: MOST.nodes, sizeCalculation: ({ size }) => Math.max(1, size.nodes) });
