import type { Model } from 'mongoose';
import type { Tx } from './store';

interface Named {
  readonly _id: number;
  readonly nameKey?: string;
  readonly titleKey?: string;
}

/**
 * Returns whether a record other than `id` (null: any) has this key. The unique index is what
 * enforces it; this check allows reporting the problem together with others.
 * @param key value by the field with the unique index
 */
export async function isTaken<R>(
  given: Model<R>,
  key: { readonly nameKey: string } | { readonly titleKey: string },
  id: number | null,
  { session }: Tx,
): Promise<boolean> {
  // Both kinds of record have these fields.
  const records = given as unknown as Model<Named>;
  return (
    (await records
      .exists({ ...key, ...(id === null ? {} : { _id: { $ne: id } }) })
      .session(session)) !== null
  );
}
