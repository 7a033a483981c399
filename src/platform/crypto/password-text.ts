import { characters } from '../text/characters';

/** In characters of the composed form. */
const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** UTF-16 units of a password that are looked at. `normalize` sorts combining marks in quadratic time: nobody calls it with more. */
export const LONGEST_PASSWORD = 1_024;

/**
 * The one form in which a password is hashed, NFC: one keyboard sends `é` as one code point, another as two. Compatibility forms stay
 * apart (RFC 8265, OpaqueString).
 * @param typed {@link LONGEST_PASSWORD} units at most; a longer one stays as it is, since it is nobody's password
 */
export const passwordText = (typed: string): string =>
  typed.length > LONGEST_PASSWORD ? typed : typed.normalize('NFC');

/** What is wrong with a new password, as a sentence; null: nothing. */
export function passwordProblem(typed: string): string | null {
  if (!typed.isWellFormed()) return 'The password is not well-formed Unicode.';
  const length = characters(passwordText(typed));
  const { min, max } = PASSWORD_LENGTH;
  return length < min || length > max
    ? `The password must have ${min} to ${max} characters; this one has ${length}.`
    : null;
}
