import { z } from 'zod';
import type { Services } from '../../platform/context';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId } from '../../platform/http/scalars';
import { MAX_HITS } from './search.service';
import type { SearchHit } from './search.service';

const route = routesTagged('Search');

interface SearchPresenters {
  readonly recordNames: string;
  /** Types that this dialect finds. */
  readonly types: readonly string[];
  readonly hits: Presenter<[readonly SearchHit[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly search: SearchPresenters;
  }
}

/** The REST names of types that frontends can open, in the order of the released line. */
const DOCUMENTED = { Workflow: 'connection', Connector: 'connector' } as const;
/** The 4.x client also opens schedules. */
const RELEASED = { ...DOCUMENTED, Schedule: 'scheduler' } as const;

const resultOf = <N extends string>(names: readonly N[]) =>
  z.object({
    result: z.array(
      z.object({
        id: AnswerId,
        title: z.string(),
        components: z.enum(names).meta({ description: 'Type of the record.' }),
      }),
    ),
  });

const presenters = (
  id: string,
  recordNames: string,
  names: Readonly<Record<string, string>>,
): SearchPresenters => ({
  recordNames,
  types: Object.keys(names),
  hits: presenter(resultOf(Object.values(names)).meta({ id }), (hits: readonly SearchHit[]) => ({
    result: hits.map(({ type, ...hit }) => ({
      id: hit.id,
      title: hit.title,
      components: names[type] ?? type,
    })),
  })),
});

export const documentedSearch = presenters('SearchResult', 'workflows and connectors', DOCUMENTED);
export const releasedSearch = presenters(
  'ReleasedSearchResult',
  'workflows, connectors and schedules',
  RELEASED,
);

/** Search at the path of the released lines. Here, callers find only what they may read. */
export function searchRoutes({ search }: Services, { search: shown }: Presenters): Route[] {
  return [
    route('GET /search/:title', {
      needs: 'authenticated',
      summary: 'Search titles',
      description: `Finds ${shown.recordNames} that the caller may read, at most ${MAX_HITS} of each. Titles that begin with the text come first; in collections of more than 10,000 records only these are found.`,
      params: z.object({ title: z.string() }),
      example: { params: { title: 'ticket' } },
      answer: shown.hits.answer,
      handle: async ({ actor, params }) =>
        shown.hits(
          await search.titles(actor, params.title, {
            types: shown.types,
            limit: MAX_HITS,
          }),
        ),
    }),
  ];
}
