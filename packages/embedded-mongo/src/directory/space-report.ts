/**
 * `full`: only writes that free space and necessary ones are accepted. `scarce`: the
 * rest of the reserve is for those that free space and small ones. `exhausted`: none are.
 */
export type SpaceLevel = 'enough' | 'full' | 'scarce' | 'exhausted';

const LEVELS: readonly SpaceLevel[] = ['enough', 'full', 'scarce', 'exhausted'];

export interface Space {
  readonly level: SpaceLevel;
  /** Bytes of the pages in use; the rest of the file is reused. */
  readonly usedBytes: number;
}

const LEVEL = 0;
const USED_BYTES = 1;
const CELLS = 2;

/** What the store knows about its space, in memory that threads share. */
export class SpaceReport {
  private readonly cells: Float64Array;

  constructor(readonly memory = new SharedArrayBuffer(CELLS * Float64Array.BYTES_PER_ELEMENT)) {
    this.cells = new Float64Array(memory);
  }

  read(): Space {
    return { level: LEVELS[this.cells[LEVEL]], usedBytes: this.cells[USED_BYTES] };
  }

  write({ level, usedBytes }: Partial<Space>): void {
    if (level !== undefined) this.cells[LEVEL] = LEVELS.indexOf(level);
    if (usedBytes !== undefined) this.cells[USED_BYTES] = usedBytes;
  }
}
