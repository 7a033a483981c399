/** A named secret as passed to a run. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
  /** Origins it may be sent to, normalized by `normalOrigin`. */
  readonly origins: readonly string[];
}

/** Pattern for names of secrets. */
export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * Folds a name: names are case-insensitive. Only ASCII letters are folded, so that other characters
 * whose lower case is ASCII, such as the Kelvin sign, match no name.
 */
export const secretKey = (name: string): string =>
  name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** `{%secret.NAME%}`. Also matches invalid names, which then refer to no secret. */
const MARK = /\{%\s*secret\.([^{}%]*)%\}/iy;
const ANY_MARK = /\{%\s*secret\.[^{}%]*%\}/i;

/** A use of a named secret in a text. */
export interface SecretMark {
  readonly name: string;
  /** Offset after the mark. */
  readonly end: number;
}

/** Returns the mark that starts at `from`, or null. */
export function secretMarkAt(text: string, from: number): SecretMark | null {
  MARK.lastIndex = from;
  const found = MARK.exec(text);
  return found === null ? null : { name: (found[1] ?? '').trim(), end: MARK.lastIndex };
}

/** Returns whether a text refers to a named secret, existing or not. */
export const usesSecret = (text: string): boolean => text.includes('{%') && ANY_MARK.test(text);
