import { TimeSlices } from '../event-loop';

/** Characters of a piece. */
const PIECE = 64 * 1024;

/** Returns whether the value is an asynchronous list, or an object with one at any depth. */
export const hasAsyncList = (value: unknown): boolean =>
  isAsyncList(value) || (isPlain(value) && Object.values(value).some(hasAsyncList));

/**
 * Writes JSON in pieces, while the asynchronous lists in it are read. They are written as arrays.
 * The entries are written by `JSON.stringify`, with a pause after some milliseconds.
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string, void, void> {
  let text = '';
  for await (const part of partsOf(value)) {
    text += part;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Returns whether the first piece is the whole text. */
export const isAll = (first: string): boolean => first.length < PIECE;

async function* partsOf(value: unknown): AsyncGenerator<string, void, void> {
  if (isAsyncList(value)) yield* entriesOf(value);
  else if (hasAsyncList(value)) yield* fieldsOf(value as object);
  else yield JSON.stringify(value) ?? 'null';
}

async function* entriesOf(list: AsyncIterable<unknown>): AsyncGenerator<string, void, void> {
  const slices = new TimeSlices();
  let separator = '[';
  for await (const entry of list) {
    yield separator + (JSON.stringify(entry) ?? 'null');
    separator = ',';
    if (slices.over) await slices.next();
  }
  yield separator === '[' ? '[]' : ']';
}

async function* fieldsOf(fields: object): AsyncGenerator<string, void, void> {
  let separator = '{';
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* partsOf(field);
    separator = ',';
  }
  yield '}';
}

const isAsyncList = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
