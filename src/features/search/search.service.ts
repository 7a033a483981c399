import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Need } from '../../platform/access/need';
import type { Titled, TitleSearch } from '../../platform/store/title-search';

declare module '../../platform/context' {
  interface Services {
    search: SearchService;
  }
}

/** Of each type: what a list below a search field can show. */
export const MOST_HITS = 50;

/** Something that is found by what it is called: the name of its GraphQL type, and what it needs to be read. */
export interface SearchSource {
  readonly type: string;
  readonly need: Need;
  readonly find: TitleSearch;
}

/** One record that was found. */
export interface SearchHit extends Titled {
  readonly type: string;
}

export type SearchService = ReturnType<typeof createSearchService>;

/** Search over what things are called. */
export function createSearchService(sources: readonly SearchSource[]) {
  return {
    /**
     * What the actor may read and is called so, `limit` of each type at most: the types in the order of the sources, of each those that begin
     * with the text first.
     * @throws BadInput the text is too long, or none a title could have
     */
    async titles(
      actor: Actor,
      text: string,
      { types, limit }: { readonly types?: readonly string[]; readonly limit: number },
    ): Promise<SearchHit[]> {
      const asked = sources.filter(
        ({ type, need }) => (types === undefined || types.includes(type)) && allows(need, actor),
      );
      const found = await Promise.all(
        asked.map(async ({ type, find }) =>
          (await find(text, limit)).map((hit) => ({ ...hit, type })),
        ),
      );
      return found.flat();
    },
  };
}
