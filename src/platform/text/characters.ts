/** Formats a number with its noun for a message: `1 member`, `2 members`. */
export const quantity = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Formats a length for a description: `1,024 characters`. */
export const inCharacters = (length: number): string =>
  `${length.toLocaleString('en-US')} characters`;

/** Maximum length of a title in a message: the released clients show errors as short notices. */
const MAX_QUOTED = 40;

/** Quotes a title for a message; the end of a long one is left out. */
export const quoteTitle = (title: string): string =>
  JSON.stringify(
    hasMoreCharacters(title, MAX_QUOTED) ? `${firstCharacters(title, MAX_QUOTED - 1)}…` : title,
  );

/** Names the first of some records in a message: `"A" and 3 more`. */
export const quoteFirstTitle = ([first, ...others]: readonly {
  readonly title: string;
}[]): string =>
  `${quoteTitle(first?.title ?? '')}${others.length > 0 ? ` and ${others.length} more` : ''}`;

/**
 * Invisible code points that are not white space: joiners, fillers, variation selectors, the soft
 * hyphen. `\p{C}` contains only some of them.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Invisible, control, unassigned and private code points, lone surrogates, line breaks. */
const UNFIT_FOR_NAMES = /[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}]/u;

/** Number of code points; length limits in messages use this unit. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Returns whether a text has more than `most` code points; does not count very long texts. */
export const hasMoreCharacters = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || characters(text) > most);

/** Returns the first `most` code points of a text. */
export const firstCharacters = (text: string, most: number): string =>
  hasMoreCharacters(text, most) ? [...text.slice(0, 2 * most)].slice(0, most).join('') : text;

/** Adds a suffix to a title, which is cut so that both have at most `most` code points. */
export function withSuffix(title: string, suffix: string, most: number): string {
  const room = most - characters(suffix);
  const cut = hasMoreCharacters(title, room) ? firstCharacters(title, room).trimEnd() : title;
  return `${cut}${suffix}`;
}

/** Removes invisible code points. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** No language has this many marks; half-width Katakana marks (FF9E, FF9F) become marks in NFKC. */
const TOO_MANY_MARKS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * Limits runs of combining marks to 30, as in Unicode's Stream-Safe Text Format
 * (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format). Call before `normalize`, which
 * sorts marks in quadratic time: 64 KB of them take a second.
 */
export const withFewMarks = (text: string): string => text.replace(TOO_MANY_MARKS, '$1');

/** Returns whether all characters of a name are visible; invisible ones allow lookalikes. */
export const isVisible = (name: string): boolean => !UNFIT_FOR_NAMES.test(name);
