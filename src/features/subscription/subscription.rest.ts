import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { refusedRoutes } from '../../platform/http/refused-routes';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { INT32_MAX, optionalWholeNumberIn, PathId } from '../../platform/http/scalars';
import { subscriptionPolicy } from './subscription.policy';

const route = routesTagged('Subscription');

const MAX_ROWS = 1_000;
const bound = z.string().default('').meta({
  description: 'A day, or a time in milliseconds since 1970; empty for none.',
});
const UsageQuery = z.object({
  page: optionalWholeNumberIn(0, INT32_MAX, 0),
  size: optionalWholeNumberIn(1, MAX_ROWS, 10),
  startDate: bound,
  endDate: bound,
});
const sort = z
  .string()
  .default('startDate,desc')
  .meta({ description: '`startDate,asc` for the oldest first.' });

const NOT_NEEDED = 'This product needs no licence: it has no limits to unlock.';

/** What clients offer to do with a licence. All of it is refused. */
const ACTIVATIONS = [
  ['GET /subs/free/activate', 'Activates a free licence'],
  ['POST /subs/activate/license', 'Activates a licence file'],
  ['POST /subs/:subId', 'Activates a licence of an online service'],
  ['DELETE /subs/:subId', 'Deletes a licence'],
  ['POST /extra-ops', 'Activates further operations'],
] as const;

/** What the released clients ask about an online service that this product does not have. */
const offlineRoutes = (): Route[] => [
  route('GET /subs/all', {
    needs: subscriptionPolicy.read,
    summary: 'Licences of an online service: none',
    description: 'For released clients.',
    answer: z.array(z.object({ _id: z.string(), subscriptionType: z.string() })),
    handle: () => Promise.resolve([]),
  }),
  route('GET /subs/connection/check', {
    needs: subscriptionPolicy.read,
    summary: 'Whether an online service for licences can be reached: never',
    description: 'For released clients.',
    answer: z.object({ status: z.literal('off') }),
    handle: () => Promise.resolve({ status: 'off' }),
  }),
  route('GET /subs/activation/request/generate', {
    needs: subscriptionPolicy.read,
    summary: 'The text that clients save as a request for a licence: says that none is needed',
    description: 'For released clients.',
    produces: 'text/plain',
    answer: z.string(),
    handle: () =>
      Promise.resolve(
        new Reply(`${NOT_NEEDED}\n`, { 'Content-Type': 'text/plain; charset=utf-8' }),
      ),
  }),
];

/** The licence pages of the released clients: nothing is limited, and usage is counted in runs. */
export const subscriptionRoutes = (
  { subscription }: Pick<Services, 'subscription'>,
  { subscription: shown }: Presenters,
): Route[] => [
  route('GET /subs/active', {
    needs: subscriptionPolicy.read,
    summary: 'The subscription: active, and without limits',
    description: 'For released clients, which start runs only with an active subscription.',
    answer: shown.active.answer,
    handle: async ({ audience }) => shown.active(await subscription.current(), audience),
  }),
  route('GET /subs/operation/usage', {
    needs: subscriptionPolicy.readUsage,
    summary: 'Runs of each workflow, busiest first',
    description:
      'For released clients. Counts all runs that ever ended; with a period, the stored runs that were queued in it. Test runs are not counted.',
    query: UsageQuery,
    answer: shown.usage.answer,
    handle: async ({ query }) =>
      shown.usage(
        await subscription.usage(query, subscription.periodOf(query.startDate, query.endDate)),
      ),
  }),
  route('GET /subs/operation/usage/:usageId/details', {
    needs: subscriptionPolicy.readUsage,
    summary: 'The stored runs of a workflow',
    description: 'For released clients. Without test runs; empty for an unknown workflow.',
    params: z.object({ usageId: PathId }),
    query: UsageQuery.extend({ sort }),
    answer: shown.details.answer,
    handle: async ({ params, query }) =>
      shown.details(
        await subscription.runsOf(params.usageId, query, {
          period: subscription.periodOf(query.startDate, query.endDate),
          direction: query.sort.endsWith(',asc') ? 1 : -1,
        }),
      ),
  }),
  ...offlineRoutes(),
  ...refusedRoutes(route, ACTIVATIONS, {
    needs: subscriptionPolicy.change,
    description: 'For released clients. There is no licence, and no request to another service.',
    code: 'LICENCE_NOT_NEEDED',
    message: NOT_NEEDED,
  }),
];
