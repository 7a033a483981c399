/** A run of capitals (`API` in `APIKey`), a word, a number. */
const WORD = /(?:\p{Lu}(?!\p{Ll}))+|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;

/** Characters of a name that are looked at. */
const LONGEST_NAME = 500;

/**
 * The words of a name in lower case, however they are joined: `X-Api-Key`, `xApiKey`, `x_api_key` and `X_API_KEY` are `x api key`. Plurals of
 * four letters and more lose their `s`.
 */
export function wordsOf(name: string): string[] {
  const words = name.slice(0, LONGEST_NAME).normalize('NFKC').match(WORD) ?? [];
  return words.map((word) => singular(word.toLowerCase()));
}

const singular = (word: string): string => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word);
