import type { Collection } from '../catalog/collection';
import { PREFIX_LENGTH, documentKey, documentPrefix } from '../storage/keys';
import { readInChunks } from '../storage/views';
import type { Entry, ReadView } from '../storage/views';
import { decodeDocument, fieldReader } from '../values/bson-elements';
import type { Doc } from '../values/values';
import type { Filter } from './filter';
import type { Plan, Stream } from './planner';

/** A document found by a query. */
export class Match {
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
export type ResumeHint = 'later' | undefined;

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
): Generator<Match | undefined, void, ResumeHint> {
  const returned = plan.repeats ? new Set<string>() : undefined;
  const read = fieldReader(new Set([...filter.fields, ...fields]));
  const prefix = documentPrefix(collection.id);
  for (const entries of chunksOf(view, plan)) {
    let isStale = false;
    for (const entry of entries) {
      const isDocument = plan.index === undefined;
      // After a pause, the document of an entry may have been deleted.
      const bytes: Buffer | undefined =
        isDocument && !isStale
          ? entry.value
          : view().get(isDocument ? entry.key : Buffer.concat([prefix, entry.value]));
      if (bytes === undefined) continue;
      const fields = read(bytes);
      if (!filter.test(fields)) continue;
      const idKey = isDocument ? entry.key.subarray(PREFIX_LENGTH) : entry.value;
      if (isRepeated(returned, idKey)) continue;
      isStale = (yield new Match(idKey, bytes, fields)) === 'later' || isStale;
    }
    yield undefined;
  }
}

/** Reads the entries of a plan in chunks; no resources are held between chunks. */
function* chunksOf(view: () => ReadView, { streams, direction }: Plan): Generator<Entry[]> {
  if (streams.length === 1) yield* entriesOf(view, streams[0]);
  else
    yield* mergeStreams(
      streams.map((stream) => new StreamReader(entriesOf(view, stream), stream.prefixLength)),
      direction,
    );
}

function* entriesOf(view: () => ReadView, { ranges }: Stream): Generator<Entry[]> {
  for (const range of ranges) {
    if (range.exact) yield readKey(view(), range.start);
    else yield* readInChunks(view, range);
  }
}

/** Current entry of one of several streams. */
class StreamReader {
  private entries: readonly Entry[] = [];
  private at = 0;

  constructor(
    private readonly chunks: Iterator<Entry[]>,
    private readonly prefixLength: number,
  ) {}

  /** Undefined at the end of the stream. */
  get entry(): Entry | undefined {
    while (this.at === this.entries.length) {
      const chunk = this.chunks.next();
      if (chunk.done === true) return undefined;
      this.entries = chunk.value;
      this.at = 0;
    }
    return this.entries[this.at];
  }

  take(): void {
    this.at++;
  }

  compare(own: Entry, other: StreamReader, others: Entry): number {
    return Buffer.compare(
      own.key.subarray(this.prefixLength),
      others.key.subarray(other.prefixLength),
    );
  }
}

const MERGED_CHUNK = 16;

function* mergeStreams(readers: readonly StreamReader[], direction: 1 | -1): Generator<Entry[]> {
  let chunk: Entry[] = [];
  for (;;) {
    let next: { readonly reader: StreamReader; readonly entry: Entry } | undefined;
    for (const reader of readers) {
      const { entry } = reader;
      if (
        entry !== undefined &&
        (next === undefined || reader.compare(entry, next.reader, next.entry) * direction < 0)
      )
        next = { reader, entry };
    }
    if (next === undefined) break;
    chunk.push(next.entry);
    next.reader.take();
    if (chunk.length < MERGED_CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

function readKey(view: ReadView, key: Buffer): Entry[] {
  const value = view.get(key);
  return value === undefined ? [] : [{ key, value }];
}

/** Returns the document of a key if it exists and matches the filter. */
export function findByKey(
  view: ReadView,
  collection: Collection,
  idKey: Buffer,
  filter: Filter,
): Match | undefined {
  const bytes = view.get(documentKey(collection.id, idKey));
  if (bytes === undefined) return undefined;
  const match = new Match(idKey, bytes, fieldReader(filter.fields)(bytes));
  return filter.test(match.fields) ? match : undefined;
}

function isRepeated(returned: Set<string> | undefined, idKey: Buffer): boolean {
  if (returned === undefined) return false;
  const name = idKey.toString('latin1');
  if (returned.has(name)) return true;
  returned.add(name);
  return false;
}
