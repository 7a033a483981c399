import { fold } from '../text/fold';
import type { Migration, MigrationWork } from './migrations';

/** Where a collection keeps a name and its key. */
export interface FoldedName {
  readonly collection: string;
  readonly text: string;
  readonly key: string;
  /** Records that have a key of another kind. */
  readonly except?: (record: Readonly<Record<string, unknown>>) => boolean;
}

/** No name has a control character, so no folded name is this one. */
const apart = (key: string, id: unknown): string => `${key}\u0000${String(id)}`;

/**
 * The records whose names fold to `key`: one, or several where they were stored before they counted as the same.
 * `{ emailKey: folded('a@b.c') }`
 */
export const folded = (key: string): { $gte: string; $lt: string } => ({ $gte: key, $lt: `${key}\u0001` });

/**
 * Computes the keys of a name anew. Where two names have become the same, the older record gets the key, the others one of their own that no
 * new name can have: all of them are kept, and the operator is told which they are.
 */
export const refold = ({ collection, text, key, except = () => false }: FoldedName): Migration => ({
  name: `keys of ${collection} by ${text}`,
  async run({ store, tell, requireLease }: MigrationWork) {
    const records = store.connection.collection<Record<string, unknown>>(collection);
    const owners = new Map<string, { readonly ids: unknown[] }>();
    const moved: { readonly id: unknown; readonly plain: string; readonly wanted: string }[] = [];
    for await (const record of records.find({}, { projection: { [text]: 1, [key]: 1 } }).sort({ _id: 1 })) {
      if (except(record)) continue;
      const id: unknown = record._id;
      const plain = fold(String(record[text]));
      const same = owners.get(plain);
      const wanted = same ? apart(plain, id) : plain;
      if (same) same.ids.push(id);
      else owners.set(plain, { ids: [id] });
      if (record[key] !== wanted) moved.push({ id, plain, wanted });
    }
    const set = (id: unknown, value: string) => records.updateOne({ _id: id as never }, { $set: { [key]: value } });
    // A key may still be that of a record which is to get another one. First none of them has one that somebody else could want.
    for (const { id, plain } of moved) await set(id, apart(plain, id));
    requireLease();
    for (const { id, plain, wanted } of moved) if (wanted === plain) await set(id, wanted);
    for (const { ids } of owners.values()) {
      if (ids.length > 1) tell('These records have names that count as the same now. All are kept; rename what should not be.', { collection, field: text, ids });
    }
  },
});
