import { withFewMarks, withoutInvisible } from './characters';

/**
 * Key to compare texts that users consider the same: ignores case, compatibility forms, surrounding
 * white space and invisible code points. `Straße`, `STRASSE` and `ｓｔｒａｓｓｅ` have the same key.
 * Stored with names; never shown.
 *
 * Implements NFKC_Casefold (https://www.unicode.org/reports/tr44/#NFKC_Casefold) with the case
 * mappings of JavaScript, which has no case folding: lower, upper, lower is equivalent for every
 * character except the final sigma. Idempotent.
 */
export function fold(text: string): string {
  // Fast path: most texts are ASCII.
  if (PLAIN.test(text)) return text.toLowerCase().trim();
  // Twice: a removed code point may have separated two that combine.
  const visible = composed(composed(text));
  return withFewMarks(visible.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
    .normalize('NFKC')
    .trim();
}

/** Printable ASCII. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Letters that fold to themselves or to one small letter; see CWKCF in UAX #44. */
const SIMPLE = /^[À-ÖØ-ÞĀ-ĮĴ-ĶĹ-ĽŁ-ŇŊ-ŽςΆΈ-ΏΑ-ΡΣ-ΫЀ-Я\P{Changes_When_NFKC_Casefolded}]*$/u;
/** Exceptions of SIMPLE: code points that may combine with the previous one, and `ı`. */
const NOT_BY_ITSELF = /[\p{M}\u1100-\u11ffı]/u;

/**
 * Returns the text folded and in its original case, both with the same length, so that offsets
 * match; white space is kept. About 20 times faster than `fold`. Returns null if the text has
 * characters that cannot be folded this way.
 */
export function foldedTogether(
  text: string,
): { readonly folded: string; readonly unfolded: string } | null {
  const others = [...new Set(text.replace(PLAIN_LINES, ''))].join('');
  if (others === '') return { folded: text.toLowerCase(), unfolded: text };
  const spelled = others.replace(SPELLED, '');
  if (!SIMPLE.test(spelled) || NOT_BY_ITSELF.test(spelled)) return null;
  const unfolded = text.replaceAll('ß', 'ss').replaceAll('…', '...');
  return { folded: unfolded.toLowerCase().replaceAll('ς', 'σ'), unfolded };
}

const PLAIN_LINES = /[\n\x20-\x7e]+/g;
/** Common characters that fold to several letters. */
const SPELLED = /[ß…]/g;

const composed = (text: string): string => withFewMarks(withoutInvisible(text)).normalize('NFKC');
