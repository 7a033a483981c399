import { ObjectId } from 'bson';
import { StoreError } from './semantics/errors';
import type { Doc } from './semantics/values';
import { CUT_AT, metaKey } from './keys';
import type { Index, IndexKeys } from './index-keys';
import type { ReadView, WriteView } from './views';

/** Property of an index that limits its use; set once and kept, as in MongoDB. */
export type Trait = 'multikey' | 'cut';

/** Cache: each query reads these keys for all candidate indexes. */
const traitKeys = new WeakMap<Index, Readonly<Record<Trait, Buffer>>>();

function keyOf(index: Index, trait: Trait): Buffer {
  const known = traitKeys.get(index);
  if (known !== undefined) return known[trait];
  const keys = { multikey: metaKey(`t/${index.id}/multikey`), cut: metaKey(`t/${index.id}/cut`) };
  traitKeys.set(index, keys);
  return keys[trait];
}

export const hasTrait = (view: ReadView, index: Index, trait: Trait): boolean =>
  view.get(keyOf(index, trait)) !== undefined;

/** A unique index has keys without `_id`, so that one read finds a duplicate. */
export const entryKey = (index: Index, key: Buffer, idKey: Buffer): Buffer =>
  index.unique ? key : Buffer.concat([key, idKey]);

export function addEntries(
  view: WriteView,
  index: Index,
  { keys, multikey, cut }: IndexKeys,
  idKey: Buffer,
): void {
  if (multikey) setTrait(view, index, 'multikey');
  if (cut) setTrait(view, index, 'cut');
  for (const key of keys) view.put(entryKey(index, key, idKey), idKey);
}

/** During a build of a unique index, the entry may belong to another document, which keeps it. */
export function removeEntries(
  view: WriteView,
  index: Index,
  keys: Iterable<Buffer>,
  idKey: Buffer,
): void {
  for (const key of keys)
    if (!index.unique || view.get(key)?.equals(idKey) === true)
      view.remove(entryKey(index, key, idKey));
}

function setTrait(view: WriteView, index: Index, trait: Trait): void {
  if (!hasTrait(view, index, trait)) view.put(keyOf(index, trait), Buffer.from([1]));
}

/** Error of a unique index in the format that driver and mongoose parse. */
export function duplicateKey(
  collection: { readonly namespace: string },
  index: Pick<Index, 'name' | 'key'>,
  doc: Doc,
): StoreError {
  const keyPattern = Object.fromEntries(index.key);
  const keyValue = Object.fromEntries(index.key.map(([path]) => [path, valueAt(doc, path)]));
  const shown = Object.entries(keyValue)
    .map(([path, value]) => `${path}: ${show(value)}`)
    .join(', ');
  const message = `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: { ${shown} }`;
  return new StoreError(11000, 'DuplicateKey', message, { keyPattern, keyValue });
}

function valueAt(doc: Doc, path: string): unknown {
  let value: unknown = doc;
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Doc)[name] : undefined;
  return value ?? null;
}

function show(value: unknown): string {
  const text =
    value instanceof ObjectId ? `ObjectId('${value.toHexString()}')` : JSON.stringify(value);
  return text.length > CUT_AT ? `${text.slice(0, CUT_AT)}...` : text;
}
