import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams } from '../../platform/http/scalars';
import { userPolicy } from './user.policy';
import { userContext } from './user.presenter';

const route = routesTagged('Users');

/** Disables and enables users. */
export const userStateRoutes = (services: Services, { users: shown }: Presenters): Route[] => [
  route('PUT /user/:id/disable', {
    needs: userPolicy.disable,
    summary: 'Disables a user',
    params: IdParams,
    answer: shown.one.answer,
    description:
      'The user cannot sign in. Their sessions end, and their API tokens and webhooks are deleted. Their schedules go on.',
    errors: ['USER_NOT_EXIST', 'SELF_DISABLING', 'LAST_ADMINISTRATOR'],
    record: 'changed',
    handle: async ({ actor, params, origin, expectedVersion }) => {
      const user = await services.userStates.disable(actor, params.id, expectedVersion);
      return recordReply(await shown.one(user, userContext(services, origin)), user);
    },
  }),
  route('PUT /user/:id/enable', {
    needs: userPolicy.disable,
    summary: 'Lets a disabled user sign in again',
    params: IdParams,
    answer: shown.one.answer,
    description: 'Their API tokens and webhooks do not come back. Not possible with an API token.',
    errors: ['USER_NOT_EXIST', 'API_TOKEN_REFUSED'],
    record: 'changed',
    handle: async ({ actor, params, origin, expectedVersion }) => {
      const user = await services.userStates.enable(actor, params.id, expectedVersion);
      return recordReply(await shown.one(user, userContext(services, origin)), user);
    },
  }),
];
