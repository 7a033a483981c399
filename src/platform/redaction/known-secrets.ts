/** A text to search, as bytes. */
export interface Pattern {
  readonly bytes: Uint8Array;
  /** Only the start of the secret is known; everything after a match is treated as part of it. */
  readonly isBeginning: boolean;
}

/** Called for each position where patterns end, with the longest one. */
type OnMatch = (end: number, length: number, isBeginning: boolean) => void;

/** Number of trailing bytes that are the start of a pattern. */
export interface Begun {
  readonly beforeCut: number;
  readonly atEnd: number;
}

/** In forms and URLs `+` means a space, so both are treated alike. */
const canonical = (byte: number): number => (byte === 0x2b ? 0x20 : byte);

/**
 * Searches many texts in one pass (Aho-Corasick); the time depends on the length of the input only.
 * Nodes are numbers and edges are in one open-addressing hash table, about 30 bytes per byte of
 * pattern.
 */
export class Automaton {
  /** Total bytes of all patterns. */
  readonly size: number;
  private readonly keys: Int32Array;
  private readonly targets: Int32Array;
  private readonly shift: number;
  /** Edge to each node: parent node and byte. */
  private readonly edges: Int32Array;
  private readonly fail: Int32Array;
  private readonly depth: Int32Array;
  /** Length of the longest pattern that ends at a node; negative for a pattern start only. */
  private readonly matched: Int32Array;
  /** Edges of the root, which is the most frequent node. */
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

  /** Returns how many bytes before index `cut`, and at the end, are the start of a pattern. */
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

  /** Computes failure links in breadth-first order. */
  private link(): void {
    for (const node of this.byDepth()) {
      const key = this.edges[node];
      if (this.depth[node] > 1) this.fail[node] = this.next(this.fail[key >> 8], key & 255);
      if (this.matched[node] === 0) this.matched[node] = this.matched[this.fail[node]];
    }
  }

  /** All nodes except the root in breadth-first order. */
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

  /** Slot of an edge in the hash table, or the free slot for it. */
  private slot(node: number, byte: number): number {
    const key = (node << 8) | byte;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.shift;
    while (this.keys[slot] !== key && this.keys[slot] >= 0)
      slot = (slot + 1) & (this.keys.length - 1);
    return slot;
  }
}

/** Shorter values are too often ordinary words; they are hidden only at their place. */
const SHORTEST = 4;
/** Only this many characters are searched; after a match, the rest of the text is hidden. */
export const MAX_SECRET_LENGTH = 4_096;
/** Maximum total bytes of the distinct secrets of a run. */
export const MOST_BYTES = 256 * 1024;

const ORDINARY = /^(?:true|false|null|undefined|none)$/i;

/**
 * Secrets of one run. Never forgets any: `isFull` means that not all fit, and nothing may be shown
 * any more. New secrets go into automata of growing size, merged pairwise, so that rebuilding is
 * rare.
 */
export class KnownSecrets {
  private readonly texts = new Set<string>();
  private readonly automata: Automaton[] = [];
  private fresh: Pattern[] = [];
  private bytes = 0;
  /** Length of the shortest secret in bytes. */
  shortest = Infinity;

  get isFull(): boolean {
    return this.bytes > MOST_BYTES;
  }

  get isEmpty(): boolean {
    return this.texts.size === 0;
  }

  /**
   * @param isNamed explicitly declared as secret: accepted however short or common it is
   * @returns whether it is hidden from now on
   */
  add(text: string, isNamed = false): boolean {
    const secret = text.length > MAX_SECRET_LENGTH ? text.slice(0, MAX_SECRET_LENGTH) : text;
    if (this.texts.has(secret)) return true;
    if (
      secret === '' ||
      this.isFull ||
      (!isNamed && (secret.length < SHORTEST || ORDINARY.test(secret)))
    )
      return false;
    const bytes = Buffer.from(secret, 'utf8');
    this.bytes += bytes.length;
    if (this.isFull) return false;
    this.texts.add(secret);
    this.shortest = Math.min(this.shortest, bytes.length);
    this.fresh.push({ bytes, isBeginning: secret.length < text.length });
    return true;
  }

  /** Returns how many bytes before index `cut`, and at the end, may be the start of a secret. */
  scan(bytes: Uint8Array, cut: number, onMatch: OnMatch): Begun {
    this.build();
    const begun = this.automata.map((automaton) => automaton.scan(bytes, cut, onMatch));
    return {
      beforeCut: Math.max(0, ...begun.map(({ beforeCut }) => beforeCut)),
      atEnd: Math.max(0, ...begun.map(({ atEnd }) => atEnd)),
    };
  }

  private build(): void {
    if (this.fresh.length === 0) return;
    let automaton = new Automaton(this.fresh);
    this.fresh = [];
    for (
      let last = this.automata.at(-1);
      last !== undefined && last.size <= automaton.size * 2;
      last = this.automata.at(-1)
    ) {
      this.automata.pop();
      automaton = new Automaton([...last.patterns, ...automaton.patterns]);
    }
    this.automata.push(automaton);
  }
}
