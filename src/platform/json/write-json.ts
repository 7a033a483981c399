import { TimeSlices } from '../event-loop';

/** Values written in one step. */
const MOST_VALUES = 2_000;
/** A string costs about one value per this many characters. */
const TEXT_OF_A_VALUE = 64;
/** Characters of a piece. */
const PIECE = 64 * 1024;
/** Far above what values of responses nest; only circular ones reach it. */
const MAX_DEPTH = 500;

/** Returns whether the value should be written in pieces. */
export const isLargeJson = (value: unknown): boolean => weightOf(value, MOST_VALUES) > MOST_VALUES;

/**
 * Serializes a value as JSON in pieces and yields the event loop in between. Async iterables, at
 * any depth, are written as arrays while they are read. The result equals that of `JSON.stringify`.
 * @throws TypeError a value that is not JSON: circular, or a BigInt
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string, void, void> {
  yield* new JsonWriter().value(value);
}

/** Returns whether the first piece is the whole text. */
export const isAll = (first: string): boolean => first.length < PIECE;

class JsonWriter {
  private readonly slices = new TimeSlices();
  private text = '';
  private depth = 0;

  async *value(value: unknown): AsyncGenerator<string, void, void> {
    yield* this.entry(value);
    if (this.text !== '') yield this.text;
  }

  private async *entry(given: unknown): AsyncGenerator<string, void, void> {
    const value = plain(given);
    if (!this.addSmall(value)) yield* this.large(value);
  }

  private async *large(value: unknown): AsyncGenerator<string, void, void> {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new TypeError('The value nests too deep to be written.');
    if (typeof value === 'string') yield* this.longText(value);
    else if (isAsyncIterable(value as object)) yield* this.stream(value as AsyncIterable<unknown>);
    else if (Array.isArray(value)) yield* this.list(value);
    else yield* this.fields(value as object);
    this.depth -= 1;
  }

  /** Writes a small value; returns false for a large one. Avoids a generator for each entry. */
  private addSmall(value: unknown): boolean {
    const isLarge =
      typeof value === 'string'
        ? value.length > PIECE
        : typeof value === 'object' && value !== null && isLargeJson(value);
    if (!isLarge) this.text += JSON.stringify(value) ?? 'null';
    return !isLarge;
  }

  private async *longText(text: string): AsyncGenerator<string, void, void> {
    this.text += '"';
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = Math.min(from + PIECE, text.length);
      // Do not split a surrogate pair.
      if (to < text.length && isFirstHalf(text.charCodeAt(to - 1))) to -= 1;
      this.text += JSON.stringify(text.slice(from, to)).slice(1, -1);
      yield this.piece();
      if (this.slices.over) await this.slices.next();
    }
    this.text += '"';
  }

  private async *stream(list: AsyncIterable<unknown>): AsyncGenerator<string, void, void> {
    let separator = '[';
    for await (const entry of list) {
      this.text += separator;
      separator = ',';
      yield* this.entry(entry);
      if (this.text.length >= PIECE) yield this.piece();
      if (this.slices.over) await this.slices.next();
    }
    this.text += separator === '[' ? '[]' : ']';
  }

  private async *list(list: readonly unknown[]): AsyncGenerator<string, void, void> {
    let separator = '[';
    for (const given of list) {
      this.text += separator;
      separator = ',';
      const entry = plain(given);
      if (!this.addSmall(entry)) yield* this.large(entry);
      if (this.text.length >= PIECE) yield this.piece();
      if (this.slices.over) await this.slices.next();
    }
    this.text += separator === '[' ? '[]' : ']';
  }

  private async *fields(fields: object): AsyncGenerator<string, void, void> {
    let separator = '{';
    if (this.slices.over) await this.slices.next();
    for (const name of Object.keys(fields)) {
      const field = (fields as Record<string, unknown>)[name];
      if (!isWritten(field)) continue;
      this.text += `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      const value = plain(field);
      if (!this.addSmall(value)) yield* this.large(value);
      if (this.text.length >= PIECE) yield this.piece();
      if (this.slices.over) await this.slices.next();
    }
    this.text += separator === '{' ? '{}' : '}';
  }

  private piece(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

/** Objects known to be large, so that their names are enumerated only once. */
const knownLarge = new WeakSet<object>();

/** Approximate number of values; stops counting at `most`. */
function weightOf(value: unknown, most: number): number {
  let weight = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && weight <= most) {
    const next = waiting.pop();
    weight += typeof next === 'string' ? 1 + next.length / TEXT_OF_A_VALUE : 1;
    if (next === null || typeof next !== 'object') continue;
    if (isAsyncIterable(next) || knownLarge.has(next)) return Infinity;
    if (Array.isArray(next)) {
      // Do not enumerate array indices as names: that creates a string for each.
      if (next.length + waiting.length > most) return Infinity;
      waiting.push(...(next as unknown[]));
      continue;
    }
    for (const name in next) {
      waiting.push((next as Record<string, unknown>)[name]);
      weight += name.length / TEXT_OF_A_VALUE;
      if (waiting.length <= most) continue;
      knownLarge.add(next);
      return Infinity;
    }
  }
  return weight;
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

const isAsyncIterable = (value: object): value is AsyncIterable<unknown> =>
  Symbol.asyncIterator in value;

/** Like JSON.stringify, skips fields without a value. */
const isWritten = (field: unknown): boolean =>
  field !== undefined && typeof field !== 'function' && typeof field !== 'symbol';

/** Applies `toJSON`, for example of dates. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' &&
  value !== null &&
  'toJSON' in value &&
  typeof value.toJSON === 'function'
    ? (value.toJSON as () => unknown)()
    : value;
