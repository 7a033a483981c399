import { Conflict } from '../errors/errors';

/** Version (or acceptable versions) that the caller has seen. Null, undefined: any version. */
export type ExpectedVersion = number | readonly number[] | null | undefined;

/**
 * Call with the record as read in the transaction that changes or deletes it, so that only one of
 * two callers that saw the same version succeeds.
 * @throws Conflict CONFLICT the record has another version
 */
export function requireVersion(
  thing: string,
  { version }: { readonly version: number },
  expected: ExpectedVersion,
): void {
  if (expected === null || expected === undefined) return;
  const wanted = typeof expected === 'number' ? [expected] : expected;
  if (wanted.includes(version)) return;
  const seen = wanted.length === 0 ? 'the one expected' : wanted.join(' or ');
  throw new Conflict('CONFLICT', `The ${thing} has version ${version} by now, not ${seen}.`, {
    path: ['expectedVersion'],
  });
}
