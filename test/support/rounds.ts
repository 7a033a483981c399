/** `HYPHA_THOROUGH_TESTS=1 npm test` runs all random cases; other runs a fifth. */
const IS_THOROUGH = process.env.HYPHA_THOROUGH_TESTS === '1';

/** The number of cases of a property test: `most` in a thorough run, otherwise a fifth. */
export const rounds = (most: number): number => (IS_THOROUGH ? most : Math.ceil(most / 5));

/** All items in a thorough run, otherwise a fifth that rotates with `nth`. */
export const shareOf = <T>(list: readonly T[], nth: number, parts = 5): T[] =>
  list.filter((_one, at) => IS_THOROUGH || at % parts === nth % parts);

/** All variants in a thorough run, otherwise the first `few`. */
export const firstOf = <T>(list: readonly T[], few: number): readonly T[] =>
  IS_THOROUGH ? list : list.slice(0, few);
