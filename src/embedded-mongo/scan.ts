import type { Collection } from './catalog';
import { decodeDocument } from './documents';
import { documentKey, documentPrefix, PREFIX_LENGTH } from './keys';
import type { Plan } from './planner';
import type { Doc } from './semantics/values';
import type { Filter } from './semantics/match';
import type { Entry, Range, ReadView } from './views';

/** A document that was found. */
export interface Found {
  readonly idKey: Buffer;
  readonly bytes: Buffer;
  readonly doc: Doc;
}

/** What a caller says when it asks for more `later` than in the same breath: documents read ahead are then read again. */
export type Resumed = 'later' | undefined;

const FIRST_CHUNK = 16;
const CHUNK = 256;

/**
 * Reads the documents of a plan that pass the filter. `undefined` comes between two chunks: there nothing of the store is held open,
 * so the caller may let others work, or go on much later with another view, from the key after the last one read.
 */
export function* scan(view: () => ReadView, collection: Collection, plan: Plan, filter: Filter): Generator<Found | undefined, void, Resumed> {
  const seen = plan.repeats ? new Set<string>() : undefined;
  for (const range of plan.ranges) {
    for (const entries of chunks(view, range)) {
      let stale = false;
      for (const entry of entries) {
        const found: Found | undefined = plan.index === undefined && !stale ? documentOf(entry) : fetch(view(), collection, idKeyIn(entry, plan));
        if (found === undefined || !filter.test(found.doc) || isRepeated(seen, found.idKey)) continue;
        stale = (yield found) === 'later' || stale;
      }
      yield undefined;
    }
  }
}

function* chunks(view: () => ReadView, range: Range): Generator<Entry[]> {
  let rest = range;
  for (let size = FIRST_CHUNK; ; size = CHUNK) {
    const entries: Entry[] = [];
    for (const entry of view().range(rest)) {
      entries.push(entry);
      if (entries.length === size) break;
    }
    if (entries.length > 0) yield entries;
    if (entries.length < size) return;
    rest = after(rest, entries[entries.length - 1].key);
  }
}

function after(range: Range, key: Buffer): Range {
  return range.reverse ? { ...range, end: key } : { ...range, start: Buffer.concat([key, Buffer.from([0])]) };
}

const idKeyIn = (entry: Entry, plan: Plan): Buffer => (plan.index === undefined ? entry.key.subarray(PREFIX_LENGTH) : entry.value);

const documentOf = ({ key, value }: Entry): Found => ({ idKey: key.subarray(PREFIX_LENGTH), bytes: value, doc: decodeDocument(value) });

/** An entry may have outlived its document when a reader continues after a pause. */
function fetch(view: ReadView, collection: Collection, idKey: Buffer): Found | undefined {
  const bytes = view.get(documentKey(collection.id, idKey));
  return bytes === undefined ? undefined : { idKey, bytes, doc: decodeDocument(bytes) };
}

function isRepeated(seen: Set<string> | undefined, idKey: Buffer): boolean {
  if (seen === undefined) return false;
  const name = idKey.toString('latin1');
  if (seen.has(name)) return true;
  seen.add(name);
  return false;
}

/** How many documents the collection has. */
export function countAll(view: ReadView, collection: Collection): number {
  const start = documentPrefix(collection.id);
  const end = Buffer.from(start);
  end.writeUInt32BE(collection.id + 1, 1);
  let count = 0;
  for (const _ of view.range({ start, end })) count++;
  return count;
}
