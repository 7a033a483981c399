import { metaKey, wholeCollection } from './keys';
import type { ReadView, WriteView } from './views';

/** Number of documents per collection: a record that is updated in the same commit. */

const keyOf = (collection: number): Buffer => metaKey(`n/${collection}`);
const COUNTED = metaKey('counted');

export const countOf = (view: ReadView, collection: number): number =>
  view.get(keyOf(collection))?.readDoubleBE(0) ?? 0;

export function setCount(view: WriteView, collection: number, count: number): void {
  if (count === 0) {
    view.remove(keyOf(collection));
    return;
  }
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(count, 0);
  view.put(keyOf(collection), bytes);
}

export const areCounted = (view: ReadView): boolean => view.get(COUNTED) !== undefined;

/** Counts the documents of a store written by a version without counts. */
export function countAll(view: WriteView, collections: Iterable<{ readonly id: number }>): void {
  for (const { id } of collections) setCount(view, id, view.count(wholeCollection(id)));
  view.put(COUNTED, Buffer.from([1]));
}
