import { characters } from './characters';
import { randomInt } from 'node:crypto';

/** Letters and digits without lookalikes, since users type them from a terminal. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A password of `length` characters, about 5.8 bits each. */
export function randomPassword(length = 20): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/**
 * Whether a text can be a master password: it is sent in a header, which would lose blanks at the
 * ends.
 */
export const isMasterPassword = (value: string): boolean =>
  /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/.test(value);
export const MASTER_PASSWORD_RULE =
  '1 to 256 printable ASCII characters, without blanks at the ends';

/** Code points after NFC normalization. */
const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** Maximum length in UTF-16 units: `normalize` sorts combining marks in quadratic time. */
export const LONGEST_PASSWORD = 1_024;

/**
 * Normalizes a password to NFC before hashing: one keyboard sends `é` as one code point, another as
 * two. Compatibility forms stay distinct (RFC 8265, OpaqueString).
 * @param typed longer than {@link LONGEST_PASSWORD} is returned unchanged; it cannot be valid
 */
export const passwordText = (typed: string): string =>
  typed.length > LONGEST_PASSWORD ? typed : typed.normalize('NFC');

/** Checks a new password; returns an error message or null. */
export function passwordProblem(typed: string): string | null {
  if (!typed.isWellFormed()) return 'The password is not well-formed Unicode.';
  if (!/[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(typed))
    return 'The password must not consist of blanks only.';
  const length = characters(passwordText(typed));
  const { min, max } = PASSWORD_LENGTH;
  return length < min || length > max
    ? `The password must have ${min} to ${max} characters; this one has ${length}.`
    : null;
}
