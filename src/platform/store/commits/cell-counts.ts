import type { ChangeCounts } from '@hypha/embedded-mongo';
import type { RecordId } from '../record-memory';

/** Cells of the documents of a collection; those that share one only appear to change more often. */
const DOCUMENT_CELLS = 4_096;
/** Of a collection: one for all its documents, and those of its documents. */
const CELLS = 1 + DOCUMENT_CELLS;
/** Other programs, such as mongosh, may write without a note: nothing is remembered for longer, ms. */
const MAX_AGE_MS = 30_000;
/** Greater than any count. */
const AGE_STEP = 2 ** 40;

/** Ids of changed documents by collection; null: any of them. */
export type ChangedIds = Readonly<Record<string, readonly RecordId[] | null>>;

/**
 * Counts changes by collection and by document, as this process knows them. While it does not know
 * the changes of other processes, no count equals any other.
 */
export class CellCounts implements ChangeCounts {
  private readonly firstCells = new Map<string, number>();
  private readonly counts: number[] = [];
  /** Changes that are being committed, by cell; by the first cell of a collection for any document. */
  private readonly uncertain = new Map<number, number>();
  private readonly uncertainCollections = new Map<number, number>();

  /** @param isCurrent whether the changes of all processes are counted */
  constructor(private readonly isCurrent: () => boolean) {}

  cellOfCollection(name: string): number {
    const first = this.firstCells.get(name) ?? this.counts.length;
    if (first === this.counts.length) {
      this.firstCells.set(name, first);
      for (let nth = 0; nth < CELLS; nth += 1) this.counts.push(0);
    }
    return first;
  }

  cellOfDocument(collection: string, id: unknown): number {
    return this.cellOfCollection(collection) + 1 + hashOf(String(id));
  }

  at(cell: number): number {
    if (!this.isCurrent() || this.isUncertain(cell)) return Number.NaN;
    return this.counts[cell] + Math.floor(performance.now() / MAX_AGE_MS) * AGE_STEP;
  }

  /** @param ids null: any document of the collection */
  change(collection: string, ids: Iterable<RecordId> | null): void {
    const first = this.cellOfCollection(collection);
    this.counts[first] += 1;
    if (ids === null)
      for (let nth = 1; nth <= DOCUMENT_CELLS; nth += 1) this.counts[first + nth] += 1;
    else for (const id of ids) this.counts[this.cellOfDocument(collection, id)] += 1;
  }

  /**
   * From now on, until the returned function is called, documents may have changed: others can know
   * of a commit before this process does.
   */
  hold(records: ChangedIds): () => void {
    const held = Object.entries(records).flatMap(([collection, ids]) => {
      const first = this.cellOfCollection(collection);
      const cells = ids?.map((id) => this.cellOfDocument(collection, id)) ?? [];
      return [
        ...[first, ...cells].map((cell) => [this.uncertain, cell] as const),
        ...(ids === null ? [[this.uncertainCollections, first] as const] : []),
      ];
    });
    for (const [counts, cell] of held) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    return () => {
      for (const [counts, cell] of held) {
        const count = (counts.get(cell) ?? 0) - 1;
        if (count > 0) counts.set(cell, count);
        else counts.delete(cell);
      }
    };
  }

  private isUncertain(cell: number): boolean {
    return (
      this.uncertain.size > 0 &&
      (this.uncertain.has(cell) || this.uncertainCollections.has(cell - (cell % CELLS)))
    );
  }

  changeAll(): void {
    for (const collection of this.firstCells.keys()) this.change(collection, null);
  }
}

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % DOCUMENT_CELLS;
}
