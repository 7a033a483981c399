import { Field, ObjectType, registerEnumType } from 'type-graphql';
import type { ErrorCode } from '../errors/codes';
import { ERROR_CODE_MEANINGS } from '../errors/codes';
import { DomainError } from '../errors/errors';
import type { ErrorKind, Problem } from '../errors/errors';

const codes = Object.keys(ERROR_CODE_MEANINGS) as ErrorCode[];

/** The GraphQL enum of every error code. */
export const ErrorCodeEnum = Object.fromEntries(codes.map((code) => [code, code])) as { readonly [C in ErrorCode]: C };
registerEnumType(ErrorCodeEnum, {
  name: 'ErrorCode',
  description: 'What went wrong. REST answers carry the same codes in `message`.',
  valuesConfig: Object.fromEntries(codes.map((code) => [code, { description: ERROR_CODE_MEANINGS[code] }])),
});

@ObjectType({ description: 'One reason why a mutation changed nothing.' })
export class UserError {
  @Field(() => ErrorCodeEnum, { description: 'What went wrong, for programs.' })
  readonly code!: ErrorCode;

  @Field(() => String, { description: 'What went wrong, for people.' })
  readonly message!: string;

  @Field(() => [String], { description: 'Path of the field below `input` that caused it; empty when no single one did.' })
  readonly path!: string[];
}

/** What every mutation returns beside its object: `@ObjectType() class UserPayload extends MutationPayload { @Field(...) user }`. */
@ObjectType({ description: 'What every mutation returns.' })
export abstract class MutationPayload {
  @Field(() => [UserError], { description: 'Why nothing was changed; empty when it was.' })
  readonly userErrors!: UserError[];
}

/** Failures a person can cure by other input. The rest are top-level errors. */
const CURABLE: ReadonlySet<ErrorKind> = new Set(['malformed', 'not-found', 'conflict', 'refused', 'unsupported-media']);

/**
 * Runs a change and puts its result under `name`, or null and the reasons in `userErrors`.
 * @throws whatever is not for the person to cure: missing rights, limits, faults
 */
export async function payload<K extends string, T>(name: K, change: () => Promise<T>): Promise<Record<K, T | null> & { userErrors: UserError[] }> {
  try {
    return answer(name, await change(), []);
  } catch (error) {
    if (!(error instanceof DomainError) || !CURABLE.has(error.kind)) throw error;
    return answer(name, null, userErrors(error));
  }
}

function answer<K extends string, T>(name: K, value: T | null, errors: UserError[]): Record<K, T | null> & { userErrors: UserError[] } {
  return { [name]: value, userErrors: errors } as Record<K, T | null> & { userErrors: UserError[] };
}

function userErrors(error: DomainError): UserError[] {
  const problems: readonly Problem[] = error.problems.length > 0 ? error.problems : [{ path: error.inputPath, message: error.message }];
  return problems.map(({ path, message }) => ({ code: error.code, message, path: path.map(String) }));
}
