import type { Actor } from '../../platform/access/actor';
import type { Services } from '../../platform/context';
import { Identifiers, NOBODY } from '../../platform/http/scalars';
import type { Presenters } from '../../platform/http/presenters';
import type { Endpoint, Route } from '../../platform/http/route';
import { routesTagged } from '../../platform/http/route';
import { schedulePolicy } from './schedule.policy';

const route = routesTagged('Schedules');

interface ListRoute extends Pick<Route, 'needs' | 'summary' | 'servedOnFullDisk'> {
  readonly endpoint: Endpoint;
  readonly success?: 204;
  readonly description: string;
  readonly change: (actor: Actor, ids: readonly number[]) => Promise<unknown>;
}

/** A route that changes several schedules, all or none. */
const listRoute = ({ endpoint, change, ...named }: ListRoute): Route =>
  route(endpoint, {
    ...named,
    body: Identifiers,
    example: { body: NOBODY },
    errors: ['SCHEDULER_NOT_FOUND'],
    sentAs: [[['ids'], ['identifiers']]],
    handle: async ({ actor, body }) => void (await change(actor, body.identifiers)),
  });

/** REST routes that change several schedules, at the paths of the released APIs. */
export const scheduleListRoutes = (
  { schedules, scheduleRuns }: Services,
  { requests }: Presenters,
): Route[] => [
  listRoute({
    endpoint: 'PUT /scheduler/startAll',
    needs: schedulePolicy.start,
    summary: 'Starts schedules now',
    description: 'All or none, even disabled ones. Returns as soon as their runs are queued.',
    change: (actor, ids) => scheduleRuns.fireAll(actor, ids),
  }),
  listRoute({
    endpoint: 'PUT /scheduler/enableAll',
    needs: schedulePolicy.update,
    summary: 'Enables schedules',
    description: 'All or none. Those already in that state stay unchanged.',
    change: (actor, ids) => schedules.enableAll(actor, ids, true),
  }),
  listRoute({
    endpoint: 'PUT /scheduler/disableAll',
    needs: schedulePolicy.update,
    summary: 'Disables schedules',
    description: 'All or none. Those already in that state stay unchanged.',
    change: (actor, ids) => schedules.enableAll(actor, ids, false),
  }),
  listRoute({
    endpoint: 'PUT /scheduler/list/delete',
    servedOnFullDisk: true,
    needs: schedulePolicy.delete,
    success: 204,
    summary: 'Deletes schedules',
    description: 'All or none. Runs that they started continue.',
    change: (actor, ids) =>
      requests.deleteListed(ids, (existing) => schedules.removeAll(actor, existing)),
  }),
];
