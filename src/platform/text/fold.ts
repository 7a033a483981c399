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
  return withFewMarks(visible.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')).normalize('NFKC').trim();
}

/** Visible ASCII and blanks. */
const PLAIN = /^[\x20-\x7e]*$/;

const composed = (text: string): string => withFewMarks(withoutInvisible(text)).normalize('NFKC');
