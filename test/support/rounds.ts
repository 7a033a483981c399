/** Is this the long suite (`npm run test:long`)? */
export const LONG = process.env.HYPHA_LONG_TESTS === '1';

/** How often what is random, or one of very many, is tried: `most` times in the long suite, and a fifth of that in the short one. */
export const rounds = (most: number): number => (LONG ? most : Math.ceil(most / 5));

/** What of a list is tried at the `nth` of many places: all of it in the long suite, and in the short one a part (a fifth), at each place the next part. */
export const shareOf = <T>(list: readonly T[], nth: number, parts = 5): T[] => list.filter((_one, at) => LONG || at % parts === nth % parts);

/** These in the long suite, and in the short one the first of them: the others are variations. */
export const firstOf = <T>(list: readonly T[], few: number): readonly T[] => (LONG ? list : list.slice(0, few));
