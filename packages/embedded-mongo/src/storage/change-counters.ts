/** One cell counts changes of all collections; the others are shared by collections. */
const CELLS = 1_024;
const ALL = 0;

/**
 * Counts commits by collection, in memory that threads share: what was read from a collection is
 * current as long as its count is the same. A count increases after its commit can be read and
 * before it is acknowledged.
 */
export class ChangeCounters {
  private readonly cells: Int32Array;
  private readonly cellOf = new Map<string, number>();

  constructor(readonly memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT)) {
    this.cells = new Int32Array(memory);
  }

  /** Returns a number that differs after each commit with a document of the collection. */
  of(collection: string): number {
    return (
      Atomics.load(this.cells, this.cell(collection)) * 2 ** 20 + Atomics.load(this.cells, ALL)
    );
  }

  increment(collection: string): void {
    Atomics.add(this.cells, this.cell(collection), 1);
  }

  incrementAll(): void {
    Atomics.add(this.cells, ALL, 1);
  }

  /** Collections that share a cell only appear to change more often. */
  private cell(collection: string): number {
    const existing = this.cellOf.get(collection);
    if (existing !== undefined) return existing;
    let hash = 0;
    for (const character of collection)
      hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
    const cell = 1 + (hash % (CELLS - 1));
    this.cellOf.set(collection, cell);
    return cell;
  }
}
