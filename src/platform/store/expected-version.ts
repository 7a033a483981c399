import { Conflict } from '../errors/errors';

/** The version that whoever asks for a change has seen, or several that are right alike. Null and undefined: whichever is there. */
export type ExpectedVersion = number | readonly number[] | null | undefined;

/**
 * To be asked of the record as the transaction reads it that changes or deletes it: so of two who have seen the same version one wins.
 * @throws Conflict CONFLICT the record has another version by now
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
