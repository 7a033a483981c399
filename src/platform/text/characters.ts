/**
 * Code points that show nothing although they are no blanks: joiners, fillers, variation selectors, the soft hyphen. Unicode's
 * Default_Ignorable_Code_Point, https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point. `\p{C}` has only some of them.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Those, and what is no character or breaks a line: controls, lone surrogates, unassigned and private code points. */
const UNFIT_FOR_NAMES = /[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}]/u;

/** How long a text is, in code points: what people are told when a text may have so many characters. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has more code points than `most`. A text that is far too long is not counted: it may have 20 MiB. */
export const hasMoreCharacters = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || characters(text) > most);

/** The text without the code points that show nothing. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** More marks in a row than any language has; the two of half-width Katakana become marks when they are normalised. */
const TOO_MANY_MARKS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * The text with at most 30 combining marks in a row, as Unicode's Stream-Safe Text Format has it (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format).
 * To be asked before `normalize`, which sorts marks in quadratic time: 64 KB of them would take it a second.
 */
export const withFewMarks = (text: string): string => text.replace(TOO_MANY_MARKS, '$1');

/** Does every code point of a name show? Two names that look the same must not differ in what nobody sees. */
export const isVisible = (name: string): boolean => !UNFIT_FOR_NAMES.test(name);
