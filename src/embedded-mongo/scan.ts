import type { Collection } from './catalog';
import { decodeDocument } from './documents';
import { chunks } from './chunks';
import { documentKey, PREFIX_LENGTH } from './keys';
import type { Plan } from './planner';
import type { Doc } from './semantics/values';
import type { Filter } from './semantics/match';
import type { Entry, ReadView } from './views';

/** A document that was found. */
export interface Found {
  readonly idKey: Buffer;
  readonly bytes: Buffer;
  readonly doc: Doc;
}

/** What a caller says when it asks for more `later` than in the same breath: documents read ahead are then read again. */
export type Resumed = 'later' | undefined;

/**
 * Reads the documents of a plan that pass the filter. `undefined` comes between two chunks: there nothing of the store is held open,
 * so the caller may let others work, or go on much later with another view, from the key after the last one read.
 */
export function* scan(view: () => ReadView, collection: Collection, plan: Plan, filter: Filter): Generator<Found | undefined, void, Resumed> {
  const seen = plan.repeats ? new Set<string>() : undefined;
  for (const range of plan.ranges) {
    for (const entries of range.exact ? [exactly(view(), range.start)] : chunks(view, range)) {
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

function exactly(view: ReadView, key: Buffer): Entry[] {
  const value = view.get(key);
  return value === undefined ? [] : [{ key, value }];
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
