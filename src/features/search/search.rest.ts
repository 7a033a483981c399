import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { SEARCHED } from './search.presenter';
import { MOST_HITS } from './search.service';

/** Search at the path of the released lines. Here, callers find only what they may read. */
export function searchRoutes({ search }: Services, { search: shown }: Presenters): Route[] {
  return [
    route({
      method: 'get',
      path: '/search/:title',
      needs: 'authenticated',
      tag: 'Search',
      summary: 'What has this text in its title',
      description: `Workflows and connectors that the caller may read, ${MOST_HITS} of each at most; those that begin with the text come first. Of more than 10,000 of a kind, only those.`,
      params: z.object({ title: z.string() }),
      example: { params: { title: 'ticket' } },
      success: 200,
      answer: shown.hits.answer,
      handle: async ({ actor, params }) =>
        shown.hits(
          await search.titles(actor, params.title, {
            types: Object.keys(SEARCHED),
            limit: MOST_HITS,
          }),
        ),
    }),
  ];
}
