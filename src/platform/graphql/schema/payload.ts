import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { ErrorCode } from '../../errors/codes';
import { ERROR_CODE_MEANINGS } from '../../errors/codes';
import { isUserError, reasonsOf } from '../../errors/errors';
import type { Problem } from '../../errors/errors';
import { translated } from '../../errors/findings';
import type { PathTable } from '../../errors/findings';
import { globalId, InputIds } from './ids';
import { MOST_AT_ONCE } from '../../store/records';

const codes = Object.keys(ERROR_CODE_MEANINGS) as ErrorCode[];

export const ErrorCodeEnum = Object.fromEntries(codes.map((code) => [code, code])) as {
  readonly [C in ErrorCode]: C;
};
registerEnumType(ErrorCodeEnum, {
  name: 'ErrorCode',
  description: 'What went wrong. REST answers carry the same codes in `message`.',
  valuesConfig: Object.fromEntries(
    codes.map((code) => [code, { description: ERROR_CODE_MEANINGS[code] }]),
  ),
});

@ObjectType({ description: 'One reason why a mutation changed nothing.' })
export class UserError {
  @Field(() => ErrorCodeEnum, { description: 'What went wrong, for programs.' })
  readonly code!: ErrorCode;

  @Field(() => String, { description: 'What went wrong, for people.' })
  readonly message!: string;

  @Field(() => [String], {
    description:
      'Path of the field below `input` that caused it; empty when no single one did. Positions in lists count from 0.',
  })
  readonly path!: string[];

  @Field(() => Int, {
    nullable: true,
    description:
      'After too many failed attempts: seconds until the next one, also in the header `Retry-After`.',
  })
  readonly retryAfter?: number;
}

/**
 * Base of the payload of every mutation: `@ObjectType() class UserPayload extends MutationPayload {
 * @Field(...) user }`.
 */
@ObjectType({ description: 'What every mutation returns.' })
export abstract class MutationPayload {
  @Field(() => [UserError], { description: 'Why nothing was changed; empty when it was.' })
  readonly userErrors!: UserError[];
}

/**
 * Runs a change and returns its result under `name`, or null and all reasons in `userErrors`.
 * @param change receives a reader for the ids of the input, so that unreadable ids are reported
 * together with all other errors
 * @param table where fields of the input have other names than in the service
 * @throws errors that the user cannot correct: missing permissions, other limits, internal errors
 */
export async function payload<K extends string, T>(
  name: K,
  change: (ids: InputIds) => Promise<T>,
  table: PathTable = [],
): Promise<Payload<K, T>> {
  const ids = new InputIds();
  try {
    const value = await change(ids);
    if (ids.unreadable.length > 0)
      throw new Error('Something was changed although an id of the input names nothing.');
    return answer(name, value, []);
  } catch (error) {
    if (!isUserError(error)) throw error;
    const reasons = reasonsOf(error).map((problem) => ({
      ...problem,
      path: translated(problem.path, table),
    }));
    return answer(name, null, withUnreadable(ids.unreadable, reasons));
  }
}

/** A mutation's object, or null and the reasons. */
export type Payload<K extends string, T> = Record<K, T | null> & { userErrors: UserError[] };

function answer<K extends string, T>(
  name: K,
  value: T | null,
  problems: readonly Problem[],
): Payload<K, T> {
  return {
    [name]: value,
    userErrors: problems.map((problem) => ({ ...problem, path: problem.path.map(String) })),
  } as Payload<K, T>;
}

/** Drops the service's errors about ids that could not be read. */
function withUnreadable(unreadable: readonly Problem[], reasons: readonly Problem[]): Problem[] {
  const unreadablePaths = new Set(unreadable.map(({ path }) => path.join('.')));
  return [...unreadable, ...reasons.filter(({ path }) => !unreadablePaths.has(path.join('.')))];
}

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

/** Base of the input of mutations that change or delete one record with a version. */
@InputType({ description: 'A change of a record with a version.' })
export abstract class VersionedInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes.',
  })
  readonly expectedVersion?: number | null;
}
