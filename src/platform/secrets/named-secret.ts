/** A named secret, as a run is given it. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
  /** Where it may be sent to: what `normalOrigin` made of what somebody wrote. */
  readonly origins: readonly string[];
}

/** What a secret may be called. */
export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * Names are compared without regard to case. They are ASCII, so this is all that folding does to them; what no secret can be called stays
 * apart from all of them, also where its letters become theirs in lower case, as the Kelvin sign does.
 */
export const secretKey = (name: string): string =>
  name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** `{%secret.NAME%}`. Whatever is written in the place of the name belongs to it: a name that no secret can have is that of none. */
const MARK = /\{%\s*secret\.([^{}%]*)%\}/iy;
const ANY_MARK = /\{%\s*secret\.[^{}%]*%\}/i;

/** A place where a text uses a named secret. */
export interface SecretMark {
  readonly name: string;
  /** Behind the mark. */
  readonly end: number;
}

/** The mark that begins at `from`; null when none does. */
export function secretMarkAt(text: string, from: number): SecretMark | null {
  MARK.lastIndex = from;
  const found = MARK.exec(text);
  return found === null ? null : { name: (found[1] ?? '').trim(), end: MARK.lastIndex };
}

/** Does a text use a named secret, whether or not there is one of that name? */
export const usesSecret = (text: string): boolean => text.includes('{%') && ANY_MARK.test(text);
