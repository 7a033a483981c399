import type { InvokerFacts } from '../../engine';
import { BadInput, Refused } from '../../platform/errors/errors';
import type { DomainError, Problem } from '../../platform/errors/errors';
import { namedTwice } from '../../platform/errors/findings';
import { textProblems } from '../../platform/errors/text-problems';
import { hasMoreCharacters } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { ExpectedVersion } from '../../platform/store/records';

/** Maximum lengths in characters; the timeout in milliseconds. */
export const CONNECTOR_LIMITS = {
  title: 255,
  description: 2_048,
  value: 65_536,
  timeout: 3_600_000,
} as const;

/** Maximum number of reported problems of one input. */
const MAX_PROBLEMS = 100;

export type Values = Readonly<Record<string, string>>;

export interface GivenField {
  readonly name: string;
  readonly value: string;
}

export interface NewConnector {
  readonly title: string;
  readonly description?: string | null;
  /** Name of its invoker. */
  readonly invoker: string;
  readonly sslCert?: boolean;
  readonly keepCookies?: boolean;
  readonly timeout?: number;
  readonly requestData?: readonly GivenField[];
}

/** A change of a connector; missing fields stay unchanged, also those of the credentials. */
export type ConnectorChange = Partial<NewConnector>;

/**
 * `force`: deletes a connector that workflows use. Their `validation` then reports it as missing.
 */
export interface DeletionOptions {
  readonly force?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

/** Returns the errors of title, description and timeout. */
export function checkTexts({ title, description, timeout = 0 }: ConnectorChange): DomainError[] {
  const titleError = title === undefined ? null : findTitleError(title.trim());
  const errors: DomainError[] = titleError === null ? [] : [titleError];
  for (const problem of textProblems(description, CONNECTOR_LIMITS.description, ['description']))
    errors.push(new BadInput(problem.code, 'The description is invalid.', { problems: [problem] }));
  if (!Number.isInteger(timeout) || timeout < 0 || timeout > CONNECTOR_LIMITS.timeout)
    errors.push(
      new BadInput(
        'TIMEOUT_INVALID',
        `The timeout must be a whole number of milliseconds from 0 to ${CONNECTOR_LIMITS.timeout}; 0 means the configured timeout.`,
        { path: ['timeout'] },
      ),
    );
  return errors;
}

function findTitleError(title: string): DomainError | null {
  const invalid = (message: string): Refused =>
    new Refused('TITLE_INVALID', message, { path: ['title'] });
  if (hasMoreCharacters(title, CONNECTOR_LIMITS.title))
    return invalid(`The title may have at most ${CONNECTOR_LIMITS.title} characters.`);
  if (fold(title) === '') return invalid('A connector needs a title.');
  if (!title.isWellFormed() || /\p{Cc}/u.test(title))
    return invalid('The title contains control characters.');
  return null;
}

/**
 * Returns the values by name. Of duplicates it takes the first, so that other problems can be
 * reported; `checkDuplicates` rejects the second.
 */
export function valuesOf(fields: readonly GivenField[]): Values {
  const firsts = new Map<string, string>();
  for (const { name, value } of fields) if (!firsts.has(name)) firsts.set(name, value);
  return Object.fromEntries(firsts);
}

/** Path of a wrong field name (not its value): transports may have the two in different places. */
export const FIELD_NAMES = 'fieldNames';
/** Path of a duplicate field, by its position. */
export const DUPLICATE_FIELDS = 'secondFields';

export function checkDuplicates(fields: readonly GivenField[]): DomainError[] {
  const problems = namedTwice(
    fields.map(({ name }) => name),
    (at) => [DUPLICATE_FIELDS, at],
  ).slice(0, MAX_PROBLEMS);
  return problems.length > 0
    ? [new BadInput('BAD_REQUEST', 'The credentials name a field twice.', { problems })]
    : [];
}

function findFieldProblems(invoker: InvokerFacts, values: Values): Problem[] {
  const names = new Set(invoker.requiredData.map(({ name }) => name));
  return Object.entries(values).flatMap(([name, value]): readonly Problem[] => {
    if (names.has(name)) return textProblems(value, CONNECTOR_LIMITS.value, ['requestData', name]);
    const message = `The invoker ${invoker.name} has no field ${JSON.stringify(name.slice(0, 100))}.`;
    return [{ code: 'REQUIRED_DATA_UNKNOWN', path: [FIELD_NAMES, name], message }];
  });
}

const toErrors = (
  problems: readonly Problem[],
  message = 'The credentials do not match the invoker.',
): DomainError[] =>
  problems[0]
    ? [new BadInput(problems[0].code, message, { problems: problems.slice(0, MAX_PROBLEMS) })]
    : [];

/** Returns the problems of single fields: unknown to the invoker, too long, or malformed text. */
export const checkFields = (invoker: InvokerFacts, values: Values): DomainError[] =>
  toErrors(findFieldProblems(invoker, values));

/**
 * Like `checkFields`, with required fields that are neither given nor stored nor have a
 * default.
 * @param stored names of the fields that keep a stored value
 */
export function checkCredentials(
  invoker: InvokerFacts,
  entered: Values,
  stored: ReadonlySet<string>,
): DomainError[] {
  const missing = invoker.requiredData.filter(
    ({ name, visibility, value }) =>
      visibility !== 'private' &&
      value === '' &&
      !Object.hasOwn(entered, name) &&
      !stored.has(name),
  );
  return toErrors([
    ...findFieldProblems(invoker, entered),
    ...missing.map(({ name }): Problem => ({
      code: 'REQUIRED_DATA_MISSING',
      path: ['requestData'],
      message: `The invoker ${invoker.name} requires the field ${JSON.stringify(name)}.`,
    })),
  ]);
}

/** Returns errors for kept values that a change would send to origins they were not entered for. */
export const checkConfirmed = (names: readonly string[]): DomainError[] =>
  toErrors(
    names.map((name): Problem => ({
      code: 'CREDENTIALS_NEED_CONFIRMATION',
      path: ['requestData', name],
      message: `The change would send the field ${JSON.stringify(name.slice(0, 100))} to another origin. Enter its value again, or send the master password.`,
    })),
    'The credentials were entered for another address.',
  );
