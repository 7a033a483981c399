import type { Collection } from './catalog';
import { decodeDocument, fieldReader } from './bytes';
import { chunks } from './chunks';
import { documentKey, documentPrefix, PREFIX_LENGTH } from './keys';
import type { Plan, Stream } from './planner';
import type { Doc } from './semantics/values';
import type { Filter } from './semantics/match';
import type { Entry, ReadView } from './views';

/** A document found by a query. */
export class Found {
  private decoded: Doc | undefined;

  constructor(
    readonly idKey: Buffer,
    readonly bytes: Buffer,
    /** The requested top-level fields. */
    readonly fields: Doc,
  ) {}

  /** The whole document, decoded on first access. */
  get doc(): Doc {
    return (this.decoded ??= decodeDocument(this.bytes));
  }
}

/** `later`: time has passed since the last result, so documents read ahead are read again. */
export type Resumed = 'later' | undefined;

/**
 * Reads the documents of a plan that match the filter; decodes only `fields` and those of the
 * filter. Yields `undefined` between chunks, when no resources are held: the caller may pause and
 * continue with another view, after the last key.
 */
export function* scan(
  view: () => ReadView,
  collection: Collection,
  plan: Plan,
  filter: Filter,
  fields: Iterable<string> = [],
): Generator<Found | undefined, void, Resumed> {
  const seen = plan.repeats ? new Set<string>() : undefined;
  const read = fieldReader(new Set([...filter.fields, ...fields]));
  const prefix = documentPrefix(collection.id);
  for (const entries of piecesOf(view, plan)) {
    let stale = false;
    for (const entry of entries) {
      const isDocument = plan.index === undefined;
      // After a pause, the document of an entry may have been deleted.
      const bytes: Buffer | undefined =
        isDocument && !stale
          ? entry.value
          : view().get(isDocument ? entry.key : Buffer.concat([prefix, entry.value]));
      if (bytes === undefined) continue;
      const known = read(bytes);
      if (!filter.test(known)) continue;
      const idKey = isDocument ? entry.key.subarray(PREFIX_LENGTH) : entry.value;
      if (isRepeated(seen, idKey)) continue;
      stale = (yield new Found(idKey, bytes, known)) === 'later' || stale;
    }
    yield undefined;
  }
}

/** Reads the entries of a plan in chunks; no resources are held between chunks. */
function* piecesOf(view: () => ReadView, { streams, direction }: Plan): Generator<Entry[]> {
  if (streams.length === 1) yield* entriesOf(view, streams[0]);
  else
    yield* merged(
      streams.map((stream) => new Head(entriesOf(view, stream), stream.beginning)),
      direction,
    );
}

function* entriesOf(view: () => ReadView, { ranges }: Stream): Generator<Entry[]> {
  for (const range of ranges) {
    if (range.exact) yield exactly(view(), range.start);
    else yield* chunks(view, range);
  }
}

/** Current entry of one of several streams. */
class Head {
  private entries: readonly Entry[] = [];
  private at = 0;

  constructor(
    private readonly pieces: Iterator<Entry[]>,
    private readonly beginning: number,
  ) {}

  /** Undefined at the end of the stream. */
  get entry(): Entry | undefined {
    while (this.at === this.entries.length) {
      const piece = this.pieces.next();
      if (piece.done === true) return undefined;
      this.entries = piece.value;
      this.at = 0;
    }
    return this.entries[this.at];
  }

  take(): void {
    this.at++;
  }

  compare(own: Entry, other: Head, others: Entry): number {
    return Buffer.compare(own.key.subarray(this.beginning), others.key.subarray(other.beginning));
  }
}

const MERGED_PIECE = 16;

function* merged(heads: readonly Head[], direction: 1 | -1): Generator<Entry[]> {
  let piece: Entry[] = [];
  for (;;) {
    let least: { readonly head: Head; readonly entry: Entry } | undefined;
    for (const head of heads) {
      const { entry } = head;
      if (
        entry !== undefined &&
        (least === undefined || head.compare(entry, least.head, least.entry) * direction < 0)
      )
        least = { head, entry };
    }
    if (least === undefined) break;
    piece.push(least.entry);
    least.head.take();
    if (piece.length < MERGED_PIECE) continue;
    yield piece;
    piece = [];
  }
  yield piece;
}

function exactly(view: ReadView, key: Buffer): Entry[] {
  const value = view.get(key);
  return value === undefined ? [] : [{ key, value }];
}

/** Returns the document of a key if it exists and matches the filter. */
export function foundBy(
  view: ReadView,
  collection: Collection,
  idKey: Buffer,
  filter: Filter,
): Found | undefined {
  const bytes = view.get(documentKey(collection.id, idKey));
  if (bytes === undefined) return undefined;
  const found = new Found(idKey, bytes, fieldReader(filter.fields)(bytes));
  return filter.test(found.fields) ? found : undefined;
}

function isRepeated(seen: Set<string> | undefined, idKey: Buffer): boolean {
  if (seen === undefined) return false;
  const name = idKey.toString('latin1');
  if (seen.has(name)) return true;
  seen.add(name);
  return false;
}
