import { Field, ID, ObjectType } from 'type-graphql';
import { MOST_AT_ONCE } from '../store/all-or-none';
import { globalId } from './ids';
import type { InputIds } from './input-ids';
import { MutationPayload, payload } from './payload';
import type { Payload } from './payload';

/** Description of the ids in the input of a mutation of a list. */
export const WHICH_IDS = `Global ids or integers, ${MOST_AT_ONCE.toLocaleString('en-US')} at most.`;

/** Base of the payload of every mutation of a list, which changes all records or none. */
@ObjectType({ description: 'What every mutation of a list returns.' })
export abstract class ListPayload extends MutationPayload {
  @Field(() => [ID], {
    nullable: true,
    description:
      'Global ids of what was changed or deleted, each once, in the order asked; null when nothing was.',
  })
  readonly ids!: string[] | null;
}

const idOf = (record: { readonly id: number } | { readonly _id: number }): number =>
  'id' in record ? record.id : record._id;

/** `payload` for a list of records of one type, with their global ids. */
export async function listPayload<
  K extends string,
  T extends { readonly id: number } | { readonly _id: number },
>(
  name: K,
  type: string,
  change: (ids: InputIds) => Promise<readonly T[]>,
): Promise<Payload<K, readonly T[]> & { ids: string[] | null }> {
  const done = await payload(name, change);
  const records: readonly T[] | null = done[name];
  return { ...done, ids: records && records.map((record) => globalId(type, idOf(record))) };
}
