import { SortedNames } from './sorted-names';

/** One key and its value. */
export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * Keys from `start` (inclusive) to `end` (exclusive); `reverse` yields them in descending order.
 */
export interface Range {
  readonly start: Buffer;
  readonly end: Buffer;
  readonly reverse?: boolean;
}

/** Read access to a committed state, write transaction, snapshot or transaction. */
export interface ReadView {
  get(key: Buffer): Buffer | undefined;
  range(range: Range): Iterable<Entry>;
  /** Counts the keys in a range, at most `most`. */
  count(range: Range, most?: number): number;
}

export interface WriteView extends ReadView {
  /**
   * Announces a write of a key before related writes, to detect conflicts.
   * @throws StoreError 112
   */
  claim(key: Buffer): void;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
}

/**
 * An immutable state until released. Its pages cannot be reused, so its lifetime must be limited.
 */
export interface Snapshot extends ReadView {
  release(): void;
}

/** A key that a transaction has written or claimed. */
export interface Considered {
  readonly key: Buffer;
  /** Value in the snapshot, which must be unchanged at commit. */
  readonly base: Buffer | undefined;
}

interface Touched extends Considered {
  /** `undefined`: removed. */
  value: Buffer | undefined;
}

/** Called before writes of a transaction; may throw to reject. */
export interface OverlayEvents {
  /** A key is claimed, before anything is written; `base`: its value in the snapshot. */
  claimed(key: Buffer, base: Buffer | undefined): void;
  /** A key is written for the first time; `base`: its value in the snapshot. */
  touched(key: Buffer, base: Buffer | undefined): void;
}

/**
 * Writes of a transaction over its snapshot, in memory until {@link Overlay.touched} is applied.
 */
export class Overlay implements WriteView {
  private readonly writes = new Map<string, Touched>();
  /** Keys claimed but not written, such as entries of an index that is being built. */
  private readonly unwritten = new Map<string, Considered>();
  private readonly names = new SortedNames();
  /** Bytes of written keys and values. */
  size = 0;

  constructor(
    private readonly base: ReadView,
    private readonly events: OverlayEvents,
  ) {}

  get(key: Buffer): Buffer | undefined {
    const written = this.writes.get(nameOf(key));
    return written === undefined ? this.base.get(key) : written.value;
  }

  claim(key: Buffer): void {
    const name = nameOf(key);
    if (this.writes.has(name)) return;
    const base = this.base.get(key);
    this.events.claimed(key, base);
    this.unwritten.set(name, { key, base });
  }

  put(key: Buffer, value: Buffer): void {
    this.write(key, value);
  }

  remove(key: Buffer): void {
    this.write(key, undefined);
  }

  count(range: Range, most = Infinity): number {
    let count = 0;
    for (const entries = this.range(range); count < most && entries.next().done !== true;) count++;
    return count;
  }

  /** Written keys with their old and new values. */
  touched(): Iterable<Touched> {
    return this.writes.values();
  }

  /** Keys claimed or written. */
  *considered(): Iterable<Considered> {
    yield* this.unwritten.values();
    yield* this.writes.values();
  }

  get isEmpty(): boolean {
    return this.writes.size === 0;
  }

  *range(range: Range): Generator<Entry> {
    const sign = range.reverse ? -1 : 1;
    const names = this.names.between(
      nameOf(range.start),
      nameOf(range.end),
      range.reverse === true,
    );
    let own = names.next();
    for (const entry of this.base.range(range)) {
      const name = nameOf(entry.key);
      for (; own.done !== true && sign * compareNames(own.value, name) < 0; own = names.next())
        yield* this.entryOf(own.value);
      if (own.done === true || own.value !== name) {
        yield entry;
        continue;
      }
      yield* this.entryOf(own.value);
      own = names.next();
    }
    for (; own.done !== true; own = names.next()) yield* this.entryOf(own.value);
  }

  private *entryOf(name: string): Generator<Entry> {
    const written = this.writes.get(name);
    if (written?.value !== undefined) yield { key: written.key, value: written.value };
  }

  private write(key: Buffer, value: Buffer | undefined): void {
    const name = nameOf(key);
    const written = this.writes.get(name);
    if (written !== undefined) {
      this.size += (value?.length ?? 0) - (written.value?.length ?? 0);
      written.value = value;
      return;
    }
    const base = this.base.get(key);
    this.events.touched(key, base);
    this.writes.set(name, { key, base, value });
    this.unwritten.delete(name);
    this.names.add(name);
    this.size += key.length + (value?.length ?? 0);
  }
}

/** Latin-1 strings compare like the bytes and can be keys of a Map. */
const nameOf = (key: Buffer): string => key.toString('latin1');

const compareNames = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
