import { GraphQLError } from 'graphql';
import { nextSlice } from '../../event-loop';

/** Approximate number of characters written in one go: some hundred microseconds of work. */
export const LIGHT_CHARACTERS = 32 * 1024;
/** Time before the writer yields the event loop, ms. */
const SLICE_MS = 8;
/** Far above what queries and free-form values nest together; only circular values reach it. */
const MAX_DEPTH = 500;
/** Estimated bytes of a number, bracket or comma. */
const SMALL_BYTES = 4;

/** The answer exceeds its limit. */
export class JsonTooLarge extends GraphQLError {
  constructor(maxBytes: number) {
    super(`The answer has more than ${maxBytes} bytes. Ask for less at a time.`, {
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    });
  }
}

/** A value of a field cannot be written as JSON, so that there is no answer. */
export class NotWritable extends Error {}

/**
 * Writes JSON like `JSON.stringify`: as text if it is small, otherwise in pieces, yielding the
 * event loop in between.
 * @throws JsonTooLarge more than `mostBytes`
 * @throws TypeError    a value that is not JSON, such as a BigInt
 */
export async function writeJson(
  value: unknown,
  maxBytes: number,
  sliceMs = SLICE_MS,
): Promise<string | readonly Buffer[]> {
  const written = await writeJsonPart(value, maxBytes, sliceMs);
  if (typeof written === 'string') requireSize(written, maxBytes);
  return written;
}

/** @throws JsonTooLarge the text has more than `maxBytes` in UTF-8 */
export function requireSize(text: string, maxBytes: number): void {
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)
    throw new JsonTooLarge(maxBytes);
}

/** Writes a part of an answer like `writeJson`, at once if it is small. */
export function writeJsonPart(
  value: unknown,
  maxBytes = Infinity,
  sliceMs = SLICE_MS,
): string | Promise<readonly Buffer[]> {
  return isLight(value) ? JSON.stringify(value) : writeInPieces(value, maxBytes, sliceMs);
}

async function writeInPieces(
  value: unknown,
  maxBytes: number,
  sliceMs: number,
): Promise<readonly Buffer[]> {
  const writer = new JsonWriter(maxBytes, sliceMs);
  await writer.write(value, '', 0);
  return writer.end();
}

class JsonWriter {
  private readonly pieces: Buffer[] = [];
  private bytes = 0;
  private text = '';
  private sliceStartedAt = performance.now();

  constructor(
    private readonly maxBytes: number,
    private readonly sliceMs: number,
  ) {}

  end(): readonly Buffer[] {
    this.flush();
    return this.pieces;
  }

  /** Writes a value. Returns a promise only if that takes more than one time slice. */
  write(raw: unknown, key: string, depth: number): Promise<void> | undefined {
    const value = withoutToJson(raw, key);
    if (isLight(value)) return this.add(JSON.stringify(value) ?? 'null');
    if (typeof value === 'string') return this.writeText(value);
    if (depth > MAX_DEPTH) throw new TypeError('A value nests too deep to be written as JSON.');
    return Array.isArray(value)
      ? this.writeList(value, depth)
      : this.writeObject(value as Readonly<Record<string, unknown>>, depth);
  }

  private async writeList(list: readonly unknown[], depth: number): Promise<void> {
    await this.add('[');
    for (let from = 0; from < list.length;) {
      const to = endOfLightRun(list, from);
      const pending =
        to > from
          ? this.add(JSON.stringify(list.slice(from, to)).slice(1, -1))
          : this.write(list[from], String(from), depth + 1);
      if (pending) await pending;
      from = Math.max(to, from + 1);
      if (from < list.length) await this.add(',');
    }
    await this.add(']');
  }

  private async writeObject(
    object: Readonly<Record<string, unknown>>,
    depth: number,
  ): Promise<void> {
    let separator = '{';
    for (const key of Object.keys(object)) {
      const value = withoutToJson(object[key], key);
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
      const pause = this.add(`${separator}${JSON.stringify(key)}:`);
      if (pause) await pause;
      const pending = this.write(value, key, depth + 1);
      if (pending) await pending;
      separator = ',';
    }
    await this.add(separator === '{' ? '{}' : '}');
  }

  /** A piece must not end within a surrogate pair. */
  private async writeText(text: string): Promise<void> {
    await this.add('"');
    for (let from = 0; from < text.length;) {
      let to = Math.min(from + LIGHT_CHARACTERS, text.length);
      if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to += 1;
      await this.add(JSON.stringify(text.slice(from, to)).slice(1, -1));
      from = to;
    }
    await this.add('"');
  }

  private add(text: string): Promise<void> | undefined {
    this.text += text;
    if (this.text.length < LIGHT_CHARACTERS) return undefined;
    this.flush();
    return performance.now() - this.sliceStartedAt < this.sliceMs ? undefined : this.pause();
  }

  private flush(): void {
    const piece = Buffer.from(this.text);
    this.text = '';
    this.bytes += piece.length;
    if (this.bytes > this.maxBytes) throw new JsonTooLarge(this.maxBytes);
    if (piece.length > 0) this.pieces.push(piece);
  }

  private async pause(): Promise<void> {
    await nextSlice(performance.now() - this.sliceStartedAt);
    this.sliceStartedAt = performance.now();
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

function withoutToJson(value: unknown, key: string): unknown {
  return typeof value === 'object' &&
    value !== null &&
    'toJSON' in value &&
    typeof value.toJSON === 'function'
    ? (value.toJSON as (key: string) => unknown)(key)
    : value;
}

const isLight = (value: unknown): boolean => weigh(value, LIGHT_CHARACTERS, 0) >= 0;

/** Returns the end of the run of entries that are light together; `from` if the first is heavy. */
function endOfLightRun(list: readonly unknown[], from: number): number {
  let left = LIGHT_CHARACTERS;
  let to = from;
  for (; to < list.length; to += 1) {
    left = weigh(list[to], left, 0);
    if (left < 0) break;
  }
  return to;
}

/**
 * Returns about how many of `budget` bytes are left after writing the value; stops early below
 * zero.
 */
function weigh(value: unknown, budget: number, depth: number): number {
  if (typeof value === 'string') return budget - value.length - SMALL_BYTES;
  if (value === null || typeof value !== 'object') return budget - SMALL_BYTES;
  if (depth > MAX_DEPTH) return -1;
  let left = budget - SMALL_BYTES;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1)
      left = weigh(value[index], left, depth + 1);
    return left;
  }
  const object = value as Readonly<Record<string, unknown>>;
  if (typeof object.toJSON === 'function') return value instanceof Date ? budget - 30 : -1;
  for (const key of Object.keys(object)) {
    left = weigh(object[key], left - key.length - SMALL_BYTES, depth + 1);
    if (left < 0) return left;
  }
  return left;
}
