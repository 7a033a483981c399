/** One key and its value. */
export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Keys from `start` (included) to `end` (excluded); `reverse` gives the same entries from the last to the first. */
export interface Range {
  readonly start: Buffer;
  readonly end: Buffer;
  readonly reverse?: boolean;
}

/** What can be read: the last committed state, the write transaction, a snapshot, or a transaction's own view. */
export interface ReadView {
  get(key: Buffer): Buffer | undefined;
  range(range: Range): Iterable<Entry>;
}

export interface WriteView extends ReadView {
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
}

/** A state of the store that stays as it is until released. Held ones make the file grow: their lifetime must be limited. */
export interface Snapshot extends ReadView {
  release(): void;
}

interface Touched {
  readonly key: Buffer;
  /** The value in the snapshot when the key was first written: what must still be there at commit. */
  readonly base: Buffer | undefined;
  /** `undefined` means removed. */
  value: Buffer | undefined;
}

/** The writes of a transaction over the snapshot it reads from. Nothing reaches the store before {@link Overlay.touched} is applied. */
export class Overlay implements WriteView {
  private readonly writes = new Map<string, Touched>();
  private sorted: string[] | undefined;

  constructor(private readonly base: ReadView, private readonly onTouch: (key: Buffer, base: Buffer | undefined) => void) {}

  get(key: Buffer): Buffer | undefined {
    const written = this.writes.get(nameOf(key));
    return written === undefined ? this.base.get(key) : written.value;
  }

  put(key: Buffer, value: Buffer): void {
    this.write(key, value);
  }

  remove(key: Buffer): void {
    this.write(key, undefined);
  }

  /** Every key written, with its base value and its new one. */
  touched(): Iterable<Touched> {
    return this.writes.values();
  }

  get isEmpty(): boolean {
    return this.writes.size === 0;
  }

  *range(range: Range): Generator<Entry> {
    const own = this.namesIn(range);
    const sign = range.reverse ? -1 : 1;
    let next = 0;
    for (const entry of this.base.range(range)) {
      const name = nameOf(entry.key);
      while (next < own.length && sign * compareNames(own[next], name) < 0) yield* this.entryOf(own[next++]);
      if (next < own.length && own[next] === name) yield* this.entryOf(own[next++]);
      else yield entry;
    }
    while (next < own.length) yield* this.entryOf(own[next++]);
  }

  private *entryOf(name: string): Generator<Entry> {
    const written = this.writes.get(name);
    if (written?.value !== undefined) yield { key: written.key, value: written.value };
  }

  private namesIn(range: Range): string[] {
    this.sorted ??= [...this.writes.keys()].sort(compareNames);
    const start = nameOf(range.start);
    const end = nameOf(range.end);
    const names = this.sorted.slice(lowerBound(this.sorted, start), lowerBound(this.sorted, end));
    return range.reverse ? names.reverse() : names;
  }

  private write(key: Buffer, value: Buffer | undefined): void {
    const name = nameOf(key);
    const written = this.writes.get(name);
    if (written !== undefined) {
      written.value = value;
      return;
    }
    const base = this.base.get(key);
    this.onTouch(key, base);
    this.writes.set(name, { key, base, value });
    this.sorted = undefined;
  }
}

/** Latin-1 text compares like the bytes do, and can be the key of a Map. */
const nameOf = (key: Buffer): string => key.toString('latin1');

const compareNames = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function lowerBound(sorted: readonly string[], name: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
