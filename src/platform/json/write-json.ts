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

class JsonWriter {
  private readonly turns = new Turns();
  private text = '';

  async *value(value: unknown): AsyncGenerator<string, void, void> {
    yield* this.entry(value);
    if (this.text !== '') yield this.text;
  }

  private async *entry(given: unknown): AsyncGenerator<string, void, void> {
    const value = plain(given);
    if (typeof value !== 'object' || value === null || !isLargeJson(value)) this.text += JSON.stringify(value) ?? 'null';
    else if (Array.isArray(value) || isAsyncIterable(value)) yield* this.list(value as Iterable<unknown> | AsyncIterable<unknown>);
    else yield* this.fields(value);
  }

  private async *list(list: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string, void, void> {
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

  private async *fields(fields: object): AsyncGenerator<string, void, void> {
    let separator = '{';
    for (const [name, field] of Object.entries(fields)) {
      if (!isWritten(field)) continue;
      this.text += `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      yield* this.entry(field);
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

/** About how many values there are; counts no further than `most`. */
function weightOf(value: unknown, most: number): number {
  let weight = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && weight <= most) {
    const next = waiting.pop();
    weight += typeof next === 'string' ? 1 + next.length / TEXT_OF_A_VALUE : 1;
    if (next === null || typeof next !== 'object') continue;
    if (isAsyncIterable(next)) return Infinity;
    if (Array.isArray(next)) {
      // The names of its places are not asked for: that would make a text of each.
      if (next.length + waiting.length > most) return Infinity;
      waiting.push(...(next as unknown[]));
      continue;
    }
    for (const name in next) {
      waiting.push((next as Record<string, unknown>)[name]);
      if (waiting.length > most) return Infinity;
    }
  }
  return weight;
}

const isAsyncIterable = (value: object): value is AsyncIterable<unknown> => Symbol.asyncIterator in value;

/** Fields without a value are left out, as JSON.stringify does it. */
const isWritten = (field: unknown): boolean => field !== undefined && typeof field !== 'function' && typeof field !== 'symbol';

/** What is written instead of a value that says so itself: a Date. */
const plain = (value: unknown): unknown =>
  (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON as () => unknown)() : value);
