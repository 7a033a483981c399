import { z } from 'zod';
import type { Services } from '../../platform/context';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId } from '../../platform/http/scalars';
import { MAX_HITS } from './search.service';
import type { SearchHit } from './search.service';

interface SearchPresenters {
  readonly hits: Presenter<[readonly SearchHit[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly search: SearchPresenters;
  }
}

/** Types that frontends can open, with their REST names, in the order of the released line. */
const SEARCHED = { Workflow: 'connection', Connector: 'connector' } as const;
const COMPONENTS = Object.values(SEARCHED);

/** Released-lines 2.18. */
const SearchResult = z
  .object({
    result: z.array(
      z.object({
        id: AnswerId,
        title: z.string(),
        components: z.enum(COMPONENTS).meta({ description: 'Type of the record.' }),
      }),
    ),
  })
  .meta({ id: 'SearchResult' });

export const documentedSearch: SearchPresenters = {
  hits: presenter(SearchResult, (hits: readonly SearchHit[]) => ({
    result: hits.map(({ id, title, type }) => ({
      id,
      title,
      components: SEARCHED[type as keyof typeof SEARCHED],
    })),
  })),
};

/** Search at the path of the released lines. Here, callers find only what they may read. */
export function searchRoutes({ search }: Services, { search: shown }: Presenters): Route[] {
  return [
    route({
      method: 'get',
      path: '/search/:title',
      needs: 'authenticated',
      tag: 'Search',
      summary: 'Search titles',
      description: `Finds workflows and connectors that the caller may read, at most ${MAX_HITS} of each. Titles that begin with the text come first; in collections of more than 10,000 records only these are found.`,
      params: z.object({ title: z.string() }),
      example: { params: { title: 'ticket' } },
      success: 200,
      answer: shown.hits.answer,
      handle: async ({ actor, params }) =>
        shown.hits(
          await search.titles(actor, params.title, {
            types: Object.keys(SEARCHED),
            limit: MAX_HITS,
          }),
        ),
    }),
  ];
}
