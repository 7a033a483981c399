import type { Model } from 'mongoose';
import type { Tx } from './store';

interface Named {
  readonly _id: number;
  readonly nameKey?: string;
  readonly titleKey?: string;
}

/**
 * Has another record than `id` (null: any) this key? The unique index decides; it is asked beforehand so that all that is wrong is told at once.
 * @param key by the field that has the index
 */
export async function isTaken<R>(
  given: Model<R>,
  key: { readonly nameKey: string } | { readonly titleKey: string },
  id: number | null,
  { session }: Tx,
): Promise<boolean> {
  // What the query needs of a record, whichever it is.
  const records = given as unknown as Model<Named>;
  return (
    (await records
      .exists({ ...key, ...(id === null ? {} : { _id: { $ne: id } }) })
      .session(session)) !== null
  );
}
