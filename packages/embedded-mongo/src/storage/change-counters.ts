import { PREFIX_LENGTH, encodeValue } from './keys';

/** The first cell counts changes of everything; then follow those of collections and of documents. */
const ALL = 0;
const COLLECTION_CELLS = 1_023;
const DOCUMENT_CELLS = 2 ** 16;
const CELLS = 1 + COLLECTION_CELLS + DOCUMENT_CELLS;
/** FNV-1a with 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Counts commits, as its readers see it. */
export interface ChangeCounts {
  /** Cell of all documents of a collection. */
  cellOfCollection(name: string): number;
  /** Cell of one document, which need not exist. */
  cellOfDocument(collection: string, id: unknown): number;
  /** Returns a number that differs after each commit of what has this cell. */
  at(cell: number): number;
}

/**
 * Counts commits by collection and by document, in memory that threads share: what was read is
 * current as long as its count is the same. A count increases after its commit can be read and
 * before it is acknowledged; that of a collection increases before those of its documents. Those
 * that share a cell only appear to change more often.
 */
export class ChangeCounters implements ChangeCounts {
  private readonly cells: Int32Array;
  private readonly hashOf = new Map<string, number>();

  constructor(readonly memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT)) {
    this.cells = new Int32Array(memory);
  }

  cellOfCollection(name: string): number {
    return 1 + (this.collectionHash(name) % COLLECTION_CELLS);
  }

  cellOfDocument(collection: string, id: unknown): number {
    return this.cellOfHash(collection, hash(encodeValue(id), 0));
  }

  at(cell: number): number {
    return Atomics.load(this.cells, cell) * 2 ** 20 + Atomics.load(this.cells, ALL);
  }

  /** @param documents `hashOfDocument` of each document of the commit */
  increment(collection: string, documents: Iterable<number>): void {
    Atomics.add(this.cells, this.cellOfCollection(collection), 1);
    for (const document of documents)
      Atomics.add(this.cells, this.cellOfHash(collection, document), 1);
  }

  incrementAll(): void {
    Atomics.add(this.cells, ALL, 1);
  }

  private cellOfHash(collection: string, document: number): number {
    const mixed = Math.imul(document ^ this.collectionHash(collection), FNV_PRIME) >>> 0;
    return 1 + COLLECTION_CELLS + (mixed % DOCUMENT_CELLS);
  }

  private collectionHash(collection: string): number {
    const existing = this.hashOf.get(collection);
    if (existing !== undefined) return existing;
    const computed = hash(Buffer.from(collection), 0);
    this.hashOf.set(collection, computed);
    return computed;
  }
}

/** Hash of the `_id` in the key of a document. */
export const hashOfDocument = (key: Buffer): number => hash(key, PREFIX_LENGTH);

function hash(bytes: Buffer, from: number): number {
  let value = FNV_BASIS;
  for (let at = from; at < bytes.length; at++) value = Math.imul(value ^ bytes[at], FNV_PRIME);
  return value >>> 0;
}
