import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import type { SearchHit } from './search.service';

export interface SearchPresenters {
  readonly hits: Presenter<[readonly SearchHit[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly search: SearchPresenters;
  }
}

/** Types that frontends can open, with their REST names, in the order of the released line. */
export const SEARCHED = { Workflow: 'connection', Connector: 'connector' } as const;
const COMPONENTS = Object.values(SEARCHED);

const componentOf = (type: string): (typeof COMPONENTS)[number] => {
  const component = Object.entries(SEARCHED).find(([name]) => name === type)?.[1];
  if (component === undefined) throw new Error(`REST has no word for a ${type} that was found.`);
  return component;
};

/** Released-lines 2.18. */
const SearchResult = z
  .object({
    result: z.array(
      z.object({
        id: AnswerId,
        title: z.string(),
        components: z.enum(COMPONENTS).meta({ description: 'What it is.' }),
      }),
    ),
  })
  .meta({ id: 'SearchResult' });

export const documentedSearch: SearchPresenters = {
  hits: presenter(SearchResult, (hits: readonly SearchHit[]) => ({
    result: hits.map(({ id, title, type }) => ({ id, title, components: componentOf(type) })),
  })),
};
