/** Values and marks between two checks of the time. */
const AT_ONCE = 256;

/** Parts of a workflow that are executed; titles and layout are not. */
const EXECUTED = ['fromConnector', 'toConnector', 'fieldBinding'] as const;

/**
 * Returns the keys (`secretKey`) of all secrets that the executed parts of a workflow use with
 * `{%secret.NAME%}`. Accepts documents of any shape; yields when `slice.over`.
 */
export function secretsNamedIn(
  document: object,
  slice: { readonly over: boolean },
): Generator<void, Set<string>, void> {
  return secretsIn(
    EXECUTED.map((part) => (document as Record<string, unknown>)[part]),
    slice,
  );
}

/** The same for all texts in these values, at any depth. */
export function* secretsIn(
  parts: readonly unknown[],
  slice: { readonly over: boolean },
): Generator<void, Set<string>, void> {
  const found = new Set<string>();
  const open: unknown[] = [...parts];
  for (let looked = 1; open.length > 0; looked += 1) {
    const value = open.pop();
    if (typeof value === 'string') yield* namesIn(value, found, slice);
    else if (Array.isArray(value)) for (const item of value as unknown[]) open.push(item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, field] of Object.entries(value)) open.push(name, field);
    if (looked % AT_ONCE === 0 && slice.over) yield;
  }
  return found;
}

function* namesIn(
  text: string,
  found: Set<string>,
  slice: { readonly over: boolean },
): Generator<void, void, void> {
  let looked = 0;
  for (let at = text.indexOf('{%'); at >= 0; at = text.indexOf('{%', at)) {
    const mark = secretMarkAt(text, at);
    if (mark !== null && SECRET_NAME.test(mark.name)) found.add(secretKey(mark.name));
    at = mark?.end ?? at + 2;
    looked += 1;
    if (looked % AT_ONCE === 0 && slice.over) yield;
  }
}
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
