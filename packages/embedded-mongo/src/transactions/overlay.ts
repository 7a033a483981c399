import type { Entry, Range, ReadView, WriteView } from '../storage/views';

/** A key that a transaction has written or locked. */
interface GuardedKey {
  readonly key: Buffer;
  /** Value in the snapshot, which must be unchanged at commit. */
  readonly base: Buffer | undefined;
}

interface WrittenKey extends GuardedKey {
  /** `undefined`: removed. */
  value: Buffer | undefined;
}

/** Called before writes of a transaction; may throw to reject. */
interface OverlayEvents {
  /** A key is locked, before anything is written; `base`: its value in the snapshot. */
  locked(key: Buffer, base: Buffer | undefined): void;
  /** A key is written for the first time; `base`: its value in the snapshot. */
  touched(key: Buffer, base: Buffer | undefined): void;
}

/**
 * Writes of a transaction over its snapshot, in memory until {@link Overlay.writtenKeys} is applied.
 */
export class Overlay implements WriteView {
  private readonly writes = new Map<string, WrittenKey>();
  /** Keys locked but not written, such as entries of an index that is being built. */
  private readonly unwritten = new Map<string, GuardedKey>();
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

  lock(key: Buffer): void {
    const name = nameOf(key);
    if (this.writes.has(name)) return;
    const base = this.base.get(key);
    this.events.locked(key, base);
    this.unwritten.set(name, { key, base });
  }

  put(key: Buffer, value: Buffer): void {
    this.write(key, value);
  }

  remove(key: Buffer): void {
    this.write(key, undefined);
  }

  count(range: Range, limit = Infinity): number {
    let count = 0;
    for (const entries = this.range(range); count < limit && entries.next().done !== true;) count++;
    return count;
  }

  /** Written keys with their old and new values. */
  writtenKeys(): Iterable<WrittenKey> {
    return this.writes.values();
  }

  /** Keys locked or written. */
  *guardedKeys(): Iterable<GuardedKey> {
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

const MAX_IN_RUN = 512;

/** Distinct names in order, in short sorted runs, so that an insertion moves few names. */
class SortedNames {
  private readonly runs: string[][] = [];

  /** `name` must not exist yet. */
  add(name: string): void {
    if (this.runs.length === 0) this.runs.push([]);
    const at = Math.max(0, this.runAfter(name) - 1);
    const run = this.runs[at];
    run.splice(firstFrom(run, name), 0, name);
    if (run.length > MAX_IN_RUN) this.runs.splice(at + 1, 0, run.splice(MAX_IN_RUN / 2));
  }

  /** The names from `start` (included) to `end` (excluded), or the same from the last to the first. */
  *between(start: string, end: string, reverse: boolean): Generator<string, undefined> {
    const step = reverse ? -1 : 1;
    const outside = reverse ? (name: string) => name < start : (name: string) => name >= end;
    for (
      let at = Math.max(0, this.runAfter(reverse ? end : start) - 1);
      at >= 0 && at < this.runs.length;
      at += step
    ) {
      const run = this.runs[at];
      for (
        let index = reverse ? firstFrom(run, end) - 1 : firstFrom(run, start);
        index >= 0 && index < run.length;
        index += step
      ) {
        if (outside(run[index])) return undefined;
        yield run[index];
      }
    }
    return undefined;
  }

  /** The number of runs that begin at or before `name`. */
  private runAfter(name: string): number {
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.runs[middle][0] <= name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Index of the first name that is not before `name`. */
function firstFrom(run: readonly string[], name: string): number {
  let low = 0;
  let high = run.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run[middle] < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
