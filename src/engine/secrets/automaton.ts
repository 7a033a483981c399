/** A text to find, as bytes. */
export interface Pattern {
  readonly bytes: Uint8Array;
  /** True when only its beginning is known here: what follows in the text belongs to it, up to the end. */
  readonly isBeginning: boolean;
}

/** Told for each place where a pattern ends: the longest that does. */
export type OnMatch = (end: number, length: number, isBeginning: boolean) => void;

/** How many bytes are the beginning of a pattern that may go on. */
export interface Begun {
  readonly beforeCut: number;
  readonly atEnd: number;
}

/** A `+` in a form or URL is a space, so the two count as one. */
const canonical = (byte: number): number => (byte === 0x2b ? 0x20 : byte);

/**
 * Finds any number of texts in one pass over the bytes (Aho and Corasick): the time depends on the length of the text alone. Nodes are
 * numbers, edges stand in one open hash table, so that a pattern costs about 30 bytes for each of its own.
 */
export class Automaton {
  /** Bytes of all patterns. */
  readonly size: number;
  private readonly keys: Int32Array;
  private readonly targets: Int32Array;
  private readonly shift: number;
  /** The edge that leads to a node: its parent and a byte. */
  private readonly edges: Int32Array;
  private readonly fail: Int32Array;
  private readonly depth: Int32Array;
  /** Length of the longest pattern that ends at a node; negative when it is only a beginning. */
  private readonly matched: Int32Array;
  /** The edges of the root, where a search is most of the time. */
  private readonly roots = new Int32Array(256);
  private nodes = 1;

  constructor(readonly patterns: readonly Pattern[]) {
    this.size = patterns.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const bits = Math.max(4, Math.ceil(Math.log2((this.size + 1) * 2)));
    this.keys = new Int32Array(2 ** bits).fill(-1);
    this.targets = new Int32Array(2 ** bits);
    this.shift = 32 - bits;
    this.edges = new Int32Array(this.size + 1);
    this.fail = new Int32Array(this.size + 1);
    this.depth = new Int32Array(this.size + 1);
    this.matched = new Int32Array(this.size + 1);
    for (const pattern of patterns) this.insert(pattern);
    for (let byte = 0; byte < 256; byte += 1) this.roots[byte] = this.next(0, byte);
    this.link();
  }

  /** Gives how many bytes before the index `cut`, and at the very end, are the beginning of a pattern. */
  scan(bytes: Uint8Array, cut: number, onMatch: OnMatch): Begun {
    const { roots, matched, depth } = this;
    let node = 0;
    let beforeCut = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      if (index === cut) beforeCut = depth[node];
      const byte = canonical(bytes[index]);
      node = node === 0 ? roots[byte] : this.next(node, byte);
      const length = matched[node];
      if (length !== 0) onMatch(index + 1, Math.abs(length), length < 0);
    }
    return { beforeCut, atEnd: depth[node] };
  }

  private insert({ bytes, isBeginning }: Pattern): void {
    let node = 0;
    for (const byte of bytes) {
      const slot = this.slot(node, canonical(byte));
      if (this.keys[slot] < 0) {
        this.keys[slot] = (node << 8) | canonical(byte);
        this.targets[slot] = this.nodes;
        this.edges[this.nodes] = this.keys[slot];
        this.depth[this.nodes] = this.depth[node] + 1;
        this.nodes += 1;
      }
      node = this.targets[slot];
    }
    this.matched[node] = isBeginning ? -bytes.length : bytes.length;
  }

  /** Sets where to go on when no edge fits, level by level. */
  private link(): void {
    for (const node of this.byDepth()) {
      const key = this.edges[node];
      if (this.depth[node] > 1) this.fail[node] = this.next(this.fail[key >> 8], key & 255);
      if (this.matched[node] === 0) this.matched[node] = this.matched[this.fail[node]];
    }
  }

  /** All nodes but the root, those near it first. */
  private byDepth(): Int32Array {
    const starts = new Int32Array(this.nodes + 1);
    for (let node = 1; node < this.nodes; node += 1) starts[this.depth[node] + 1] += 1;
    for (let level = 1; level < starts.length; level += 1) starts[level] += starts[level - 1];
    const sorted = new Int32Array(this.nodes - 1);
    for (let node = 1; node < this.nodes; node += 1) {
      sorted[starts[this.depth[node]]] = node;
      starts[this.depth[node]] += 1;
    }
    return sorted;
  }

  private next(from: number, byte: number): number {
    let node = from;
    for (;;) {
      const slot = this.slot(node, byte);
      if (this.keys[slot] >= 0) return this.targets[slot];
      if (node === 0) return 0;
      node = this.fail[node];
    }
  }

  /** The place of an edge, or the free one where it would be. */
  private slot(node: number, byte: number): number {
    const key = (node << 8) | byte;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.shift;
    while (this.keys[slot] !== key && this.keys[slot] >= 0)
      slot = (slot + 1) & (this.keys.length - 1);
    return slot;
  }
}
