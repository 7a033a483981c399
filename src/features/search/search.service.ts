import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { SearchSource, Titled } from '../../platform/store/lists/title-search';

declare module '../../platform/context' {
  interface Services {
    search: SearchService;
  }
}

/** Maximum number of hits for each type: as many as a list below a search field can show. */
export const MAX_HITS = 50;

export interface SearchHit extends Titled {
  readonly type: string;
}

/** Searches records of all types by title. */
export class SearchService {
  constructor(private readonly sources: readonly SearchSource[]) {}

  /**
   * Returns readable records whose title matches, up to `limit` for each type. Types are in the
   * order of `sources`; within a type, titles that begin with the text come first.
   * @throws BadInput the text is too long or cannot occur in a title
   */
  async titles(
    actor: Actor,
    text: string,
    { types, limit }: { readonly types?: readonly string[]; readonly limit: number },
  ): Promise<SearchHit[]> {
    const sources = this.sources.filter(
      ({ type, need }) => (types === undefined || types.includes(type)) && allows(need, actor),
    );
    const hitsBySource = await Promise.all(
      sources.map(async ({ type, find }) =>
        (await find(text, limit)).map((hit) => ({ ...hit, type })),
      ),
    );
    return hitsBySource.flat();
  }
}
