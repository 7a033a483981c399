import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput } from '../../platform/errors/errors';
import type { InputPath, Problem } from '../../platform/errors/errors';
import { LONGEST_ORIGIN, normalOrigin, SECRET_NAME } from '../../platform/secrets';
import { textProblems } from '../../platform/errors/text-problems';

/** A change of a secret; missing fields stay unchanged. */
export interface SecretChange {
  readonly name?: string;
  readonly note?: string | null;
  readonly value?: string;
  readonly origins?: readonly string[];
}

/** Maximum lengths in characters, and the maximum number of origins. */
export const SECRET_LENGTHS = {
  name: 64,
  note: 1_000,
  value: 8_192,
  origins: 50,
  origin: LONGEST_ORIGIN,
} as const;

/** Maximum number of invalid origins that are reported. */
const MAX_ORIGIN_ERRORS = 20;
/** Maximum number of input characters that an error message repeats. */
const MAX_QUOTED = 60;

/** Returns the problems of the fields. Messages never contain the value. */
function secretProblems({ name, note, value, origins }: SecretChange): Problem[] {
  return [
    ...problem(
      name !== undefined && !SECRET_NAME.test(name),
      'NAME_INVALID',
      ['name'],
      'A name starts with a letter and contains only letters (A to Z, a to z), digits, - and _; at most 64 characters.',
    ),
    ...textProblems(note, SECRET_LENGTHS.note, ['note']),
    ...problem(value === '', 'SECRET_VALUE_INVALID', ['value'], 'The value is empty.'),
    ...textProblems(value, SECRET_LENGTHS.value, ['value']),
    ...(origins === undefined ? [] : originProblems(origins)),
  ];
}

export function secretErrors(change: SecretChange): BadInput[] {
  const problems = secretProblems(change);
  const [first] = problems;
  return first === undefined
    ? []
    : [new BadInput(first.code, 'The secret is invalid.', { problems })];
}

/** Normalises valid origins for storage. */
export const normalOrigins = (origins: readonly string[]): string[] => [
  ...new Set(origins.map((origin) => normalOrigin(origin) ?? '')),
];

function originProblems(origins: readonly string[]): Problem[] {
  if (origins.length === 0)
    return problem(
      true,
      'SECRET_ORIGIN_INVALID',
      ['origins'],
      'A secret needs at least one origin that it may be sent to.',
    );
  if (origins.length > SECRET_LENGTHS.origins)
    return problem(
      true,
      'LIST_TOO_LONG',
      ['origins'],
      `At most ${SECRET_LENGTHS.origins} origins.`,
    );
  return origins
    .flatMap((origin, index) => {
      const message = originProblem(origin);
      return problem(message !== null, 'SECRET_ORIGIN_INVALID', ['origins', index], message ?? '');
    })
    .slice(0, MAX_ORIGIN_ERRORS);
}

/** Returns the problem of an origin, or null if it is valid. */
function originProblem(origin: string): string | null {
  const quoted = JSON.stringify(origin.slice(0, MAX_QUOTED));
  const normal = normalOrigin(origin);
  if (normal === null)
    return `${quoted} is not an origin such as https://api.example.com, https://*.example.com or http://10.0.0.5:8080, without a path.`;
  const suffix = publicSuffixOf(normal);
  return suffix === null
    ? null
    : `${quoted} covers every host below the public suffix ${suffix}, where anyone can register a host. Use a domain of your own, such as https://*.example.${suffix}.`;
}

const problem = (isWrong: boolean, code: ErrorCode, path: InputPath, message: string): Problem[] =>
  isWrong ? [{ code, path, message }] : [];

/** Only listed suffixes count, so that `*.internal` is allowed. */
const SUFFIX_OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
} as const;

const WILDCARD = /^https?:\/\/\*\.([^:/]+)/;

/**
 * Returns the public suffix directly below the wildcard of an origin (`https://*.co.uk`,
 * `https://*.github.io`), or null.
 * @param origin as `normalOrigin` returns it
 */
export function publicSuffixOf(origin: string): string | null {
  const host = WILDCARD.exec(origin)?.[1];
  if (host === undefined) return null;
  return isPublicSuffix(host) ? host : null;
}

function isPublicSuffix(host: string): boolean {
  // Loaded on first use: the list is large, and few secrets have wildcards.
  const { parse } = require('tldts') as typeof import('tldts');
  const { publicSuffix, isIcann, isPrivate } = parse(host, SUFFIX_OPTIONS);
  return publicSuffix === host && (isIcann === true || isPrivate === true);
}
