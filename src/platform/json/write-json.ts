import { Turns } from './turns';

/** Values that are written at one go. */
const MOST_VALUES = 2_000;
/** Characters of text that cost about what a value costs. */
const TEXT_OF_A_VALUE = 64;
/** Characters of a piece. */
const PIECE = 64 * 1024;

/** Is this so large that it is better written in pieces? */
export const isLargeJson = (value: unknown): boolean => weightOf(value, MOST_VALUES) > MOST_VALUES;

/**
 * Writes a value as JSON, piece by piece, so that others have their turn in between. What can be iterated asynchronously, at any depth, is
 * a list that is written while it comes. The text is that of `JSON.stringify`.
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string, void, void> {
  yield* new JsonWriter().value(value);
}

/** Is the first piece all there is? One that another follows has the full length at least. */
export const isAll = (first: string): boolean => first.length < PIECE;

class JsonWriter {
  private readonly turns = new Turns();
  private text = '';

  async *value(value: unknown): AsyncGenerator<string, void, void> {
    yield* this.entry(value);
    if (this.text !== '') yield this.text;
  }

  private async *entry(given: unknown): AsyncGenerator<string, void, void> {
    const value = plain(given);
    if (!this.addSmall(value)) yield* this.large(value);
  }

  private async *large(value: unknown): AsyncGenerator<string, void, void> {
    if (typeof value === 'string') yield* this.longText(value);
    else if (isAsyncIterable(value as object)) yield* this.stream(value as AsyncIterable<unknown>);
    else if (Array.isArray(value)) yield* this.list(value);
    else yield* this.fields(value as object);
  }

  /** Writes a value that is small enough for one step; false for a larger one. Most entries are small, and a generator for each would cost more than its text. */
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
      // The two halves of a pair are written together.
      if (to < text.length && isFirstHalf(text.charCodeAt(to - 1))) to -= 1;
      this.text += JSON.stringify(text.slice(from, to)).slice(1, -1);
      yield this.piece();
      if (this.turns.over) await this.turns.next();
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
      if (this.turns.over) await this.turns.next();
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
      if (this.turns.over) await this.turns.next();
    }
    this.text += separator === '[' ? '[]' : ']';
  }

  private async *fields(fields: object): AsyncGenerator<string, void, void> {
    let separator = '{';
    if (this.turns.over) await this.turns.next();
    for (const name of Object.keys(fields)) {
      const field = (fields as Record<string, unknown>)[name];
      if (!isWritten(field)) continue;
      this.text += `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      const value = plain(field);
      if (!this.addSmall(value)) yield* this.large(value);
      if (this.text.length >= PIECE) yield this.piece();
      if (this.turns.over) await this.turns.next();
    }
    this.text += separator === '{' ? '{}' : '}';
  }

  private piece(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

/** Objects that were found to have more values than are written at one go: all names of a large one are asked for once only. */
const knownLarge = new WeakSet<object>();

/** About how many values there are; counts no further than `most`. */
function weightOf(value: unknown, most: number): number {
  let weight = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && weight <= most) {
    const next = waiting.pop();
    weight += typeof next === 'string' ? 1 + next.length / TEXT_OF_A_VALUE : 1;
    if (next === null || typeof next !== 'object') continue;
    if (isAsyncIterable(next) || knownLarge.has(next)) return Infinity;
    if (Array.isArray(next)) {
      // The names of its places are not asked for: that would make a text of each.
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

/** Fields without a value are left out, as JSON.stringify does it. */
const isWritten = (field: unknown): boolean =>
  field !== undefined && typeof field !== 'function' && typeof field !== 'symbol';

/** What is written instead of a value that says so itself: a Date. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' &&
  value !== null &&
  'toJSON' in value &&
  typeof value.toJSON === 'function'
    ? (value.toJSON as () => unknown)()
    : value;
