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

/** The text without the code points that show nothing. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** Does every code point of a name show? Two names that look the same must not differ in what nobody sees. */
export const isVisible = (name: string): boolean => !UNFIT_FOR_NAMES.test(name);
