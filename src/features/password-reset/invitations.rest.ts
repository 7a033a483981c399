import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams } from '../../platform/http/scalars';
import { userPolicy, usersPolicy } from '../users/user.policy';
import { addressOf, userContext } from '../users/user.presenter';
import { IN_USER, InvitedUserInput, userInput } from '../users/user.schema';

const route = routesTagged('Users');

/** The address is empty so that the example cannot send a mail. */
const INVITED = { email: '', userGroup: 2, userDetail: { name: 'Ada', surname: 'Lovelace' } };

/** Users who set their password with a mailed link. */
export const invitationRoutes = (services: Services, { users: shown }: Presenters): Route[] => [
  route('POST /user/invite', {
    needs: usersPolicy.create,
    summary: 'Creates a user and mails them a link to set their password',
    description:
      'The link is valid for seven days, and once. `password` is ignored. Not possible with an API token.',
    body: InvitedUserInput,
    example: { body: INVITED },
    invalidAs: 'CREATION_ERROR',
    errors: ['API_TOKEN_REFUSED', 'MAIL_NOT_CONFIGURED'],
    success: 201,
    answer: shown.created.answer,
    sentAs: IN_USER,
    record: 'shown',
    handle: async ({ actor, body, origin }) => {
      const { password: _password, ...user } = userInput(body);
      const invited = await services.invitations.invite(actor, user);
      return recordReply(
        await shown.created(invited, userContext(services, origin)),
        invited,
        addressOf(invited, origin.baseUrl),
      );
    },
  }),
  route('POST /user/:id/invite', {
    needs: userPolicy.invite,
    summary: 'Mails a new link to a user who has not signed in yet',
    description:
      'The link is valid for seven days, and once; earlier links stop working. Not possible with an API token.',
    params: IdParams,
    success: 204,
    errors: [
      'USER_NOT_EXIST',
      'INVITATION_ACCEPTED',
      'USER_DISABLED',
      'LDAP_USER',
      'MAIL_NOT_CONFIGURED',
      'API_TOKEN_REFUSED',
    ],
    handle: async ({ actor, params }) =>
      void (await services.invitations.inviteAgain(actor, params.id)),
  }),
];
