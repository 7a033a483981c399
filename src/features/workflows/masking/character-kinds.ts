/** Character classes, as bits. */
export const BLANK = 1;
export const BEFORE_QUOTE = 2;
export const ENDS_WORD = 4;
export const ENDS_AUTHORITY = 8;

/** The characters that `\s` matches. */
const SPACES =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const KINDS = kindsOf([
  [BLANK, ' \t\r\n'],
  // An apostrophe within a word does not start a quoted text.
  [BEFORE_QUOTE, `${SPACES}:=,;&?(){}[]<>`],
  [ENDS_WORD, `${SPACES}"'\`=:&?,;{}()[]<>/\\`],
  [ENDS_AUTHORITY, `${SPACES}/?#"'<>\\`],
]);

function kindsOf(kinds: readonly (readonly [kind: number, characters: string])[]): Uint8Array {
  const all = new Uint8Array(0x10000);
  for (const [kind, characters] of kinds)
    for (let at = 0; at < characters.length; at += 1) all[characters.charCodeAt(at)] |= kind;
  return all;
}

/** Returns whether the character at this position has this class. False past the end. */
export const isKind = (text: string, at: number, kind: number): boolean =>
  at < text.length && ((KINDS[text.charCodeAt(at)] ?? 0) & kind) !== 0;
