/** `HYPHA_THOROUGH_TESTS=1 npm test` tries all of what is random or one of very many; a run without it tries a fifth. */
const IS_THOROUGH = process.env.HYPHA_THOROUGH_TESTS === '1';

/** How many cases a property test runs: `most` in a thorough run, else a fifth. */
export const rounds = (most: number): number => (IS_THOROUGH ? most : Math.ceil(most / 5));

/** The part of a list that is tried at the `nth` of many places: all of it in a thorough run, else a fifth, the next one at each place. */
export const shareOf = <T>(list: readonly T[], nth: number, parts = 5): T[] =>
  list.filter((_one, at) => IS_THOROUGH || at % parts === nth % parts);

/** All variations in a thorough run, else the first `few`. */
export const firstOf = <T>(list: readonly T[], few: number): readonly T[] =>
  IS_THOROUGH ? list : list.slice(0, few);
