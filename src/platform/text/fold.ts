import { withFewMarks, withoutInvisible } from './characters';

/**
 * What two texts are compared by where a person would call them the same: compatibility forms, case, blanks around them and code points
 * that nobody can see do not count. `Straße`, `STRASSE` and `ｓｔｒａｓｓｅ` are one. The key of a stored name; never shown.
 *
 * Unicode's own recipe (NFKC_Casefold, https://www.unicode.org/reports/tr44/#NFKC_Casefold) with the case mappings of JavaScript, which has
 * no case folding: lower, upper and lower again is one for every character but the final sigma. Folding a key gives the key.
 */
export function fold(text: string): string {
  // Most are, and have nothing to compose and nothing that nobody sees.
  if (PLAIN.test(text)) return text.toLowerCase().trim();
  // Twice: what was taken out may have stood between two that combine.
  const visible = composed(composed(text));
  return withFewMarks(visible.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
    .normalize('NFKC')
    .trim();
}

/** Visible ASCII and blanks. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Capital letters that fold to their small letter, and all that folds to itself, https://www.unicode.org/reports/tr44/#CWKCF. */
const SIMPLE = /^[À-ÖØ-ÞĀ-ĮĴ-ĶĹ-ĽŁ-ŇŊ-ŽςΆΈ-ΏΑ-ΡΣ-ΫЀ-Я\P{Changes_When_NFKC_Casefolded}]*$/u;
/** Of those, what may be composed with what stands before it, and the one whose small letter has another capital. */
const NOT_BY_ITSELF = /[\p{M}\u1100-\u11ffı]/u;

/**
 * Two texts of the same length: what `fold` makes of any part of a long text, but for blanks at its ends, and the same before letters are made small. A
 * twentieth of the work. Null: the text has characters for which that is not so.
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
/** Fold to more than one letter, and stand in many texts. */
const SPELLED = /[ß…]/g;

const composed = (text: string): string => withFewMarks(withoutInvisible(text)).normalize('NFKC');
