import { z } from 'zod';
import type { Services } from '../../platform/context';
import { BadInput } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import { Identifiers, IdParams, NOBODY } from '../../platform/http/scalars';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { emailKeyOf } from '../../platform/text/email';
import { userPolicy, usersPolicy } from './user.policy';
import { addressOf, userContext } from './user.presenter';
import {
  confirmationOf,
  detailChange,
  DetailInput,
  GroupChangeInput,
  groupIdOf,
  IN_USER,
  NewUserInput,
  PasswordInput,
  requireSameId,
  userInput,
  UserUpdateInput,
} from './user.schema';

const route = routesTagged('Users');

/** The password is empty so that the example cannot create an account with a published password. */
const NEW_USER = {
  email: 'ada@example.com',
  password: '',
  userGroup: 2,
  userDetail: { name: 'Ada', surname: 'Lovelace' },
};

/** Spec 7: these three answer ACCESS_DENIED with 500. */
const DENIED_AS_500 = { ACCESS_DENIED: 500 } as const;

const IN_DETAIL: PathTable = [[['detail'], []]];

const userRouteContext = (services: Services, { users: shown, exists, requests }: Presenters) => {
  const { users, userPasswords, userRecords, userDeletion } = services;
  return { services, users, userPasswords, userRecords, userDeletion, shown, exists, requests };
};
type UserRouteContext = ReturnType<typeof userRouteContext>;

const getUserAll = ({ shown, userRecords, services }: UserRouteContext): Route =>
  route('GET /user/all', {
    needs: usersPolicy.list,
    summary: 'Lists all users',
    answer: shown.list.answer,
    statuses: DENIED_AS_500,
    handle: async ({ origin }) => shown.list(userRecords.list(), userContext(services, origin)),
  });

const getUserCheckByEmail = ({ exists, userRecords }: UserRouteContext): Route =>
  route('GET /user/check/:email', {
    needs: usersPolicy.list,
    summary: 'Checks whether an e-mail is taken',
    params: z.object({ email: z.string() }),
    example: { params: { email: 'somebody@example.com' } },
    answer: exists.record.answer,
    produces: exists.recordType,
    handle: async ({ params }) =>
      exists.record(
        await userRecords.emailExists(params.email),
        `/api/user/check/${encodeURIComponent(params.email)}`,
      ),
  });

const getUserById = ({ shown, userRecords, services }: UserRouteContext): Route =>
  route('GET /user/:id', {
    needs: shown.needs.read,
    summary: 'Returns a user',
    params: IdParams,
    example: { params: { id: 1 } },
    answer: shown.one.answer,
    statuses: DENIED_AS_500,
    errors: ['USER_NOT_EXIST'],
    record: 'shown',
    handle: async ({ params, origin }) => {
      const user = await userRecords.get(params.id);
      return recordReply(await shown.one(user, userContext(services, origin)), user);
    },
  });

const postUser = ({ shown, users, services }: UserRouteContext): Route =>
  route('POST /user', {
    needs: usersPolicy.create,
    summary: 'Creates a user',
    body: NewUserInput,
    example: { body: NEW_USER },
    invalidAs: 'CREATION_ERROR',
    description: 'Not possible with an API token.',
    errors: ['API_TOKEN_REFUSED'],
    success: 201,
    answer: shown.created.answer,
    sentAs: IN_USER,
    record: 'shown',
    handle: async ({ actor, body, origin }) => {
      const user = await users.create(actor, userInput(body));
      return recordReply(
        await shown.created(user, userContext(services, origin)),
        user,
        addressOf(user, origin.baseUrl),
      );
    },
  });

const putUserListDelete = ({ requests, userDeletion }: UserRouteContext): Route =>
  route('PUT /user/list/delete', {
    servedOnFullDisk: true,
    needs: usersPolicy.delete,
    summary: 'Deletes users, all or none',
    body: Identifiers,
    example: { body: NOBODY },
    success: 204,
    errors: ['USER_NOT_EXIST', 'SELF_DELETION', 'LAST_ADMINISTRATOR'],
    handle: async ({ actor, body }) =>
      requests.deleteListed(body.identifiers, (ids) => userDeletion.removeAll(actor, ids)),
  });

const putUserById = ({ shown, userRecords, users, services }: UserRouteContext): Route =>
  route('PUT /user/:id', {
    needs: shown.needs.update,
    summary: 'Changes e-mail, password, group and details at once',
    params: IdParams,
    body: UserUpdateInput,
    example: { body: { userDetail: {} } },
    answer: shown.one.answer,
    description: 'Omitted fields, an empty password, and the own present password stay unchanged.',
    errors: [
      'USER_NOT_EXIST',
      'EMAIL_ALREADY_EXIST',
      'GROUP_NOT_FOUND',
      'LAST_ADMINISTRATOR',
      'LDAP_USER',
      'WRONG_PASSWORD',
      'TOO_MANY_ATTEMPTS',
      'API_TOKEN_REFUSED',
    ],
    sentAs: IN_USER,
    record: 'changed',
    handle: async ({ actor, params, body, origin, expectedVersion }) => {
      const before = await userRecords.get(params.id);
      requireSameId(body, params.id);
      const user = await users.save(
        actor,
        before,
        userInput(body),
        expectedVersion,
        confirmationOf(body, origin),
      );
      return recordReply(await shown.one(user, userContext(services, origin)), user);
    },
  });

const putUserPassword = ({ userRecords, userPasswords }: UserRouteContext): Route =>
  route('PUT /user/:id/password', {
    needs: userPolicy.changePassword,
    summary: 'Sets a new password',
    params: IdParams,
    body: PasswordInput,
    example: { body: { password: '' } },
    description:
      'Ends all other sessions of the user, or all sessions if another user sets the password. The own present password is no change.',
    statuses: { TOKEN_EXPIRED: 500 },
    errors: [
      'USER_NOT_EXIST',
      'PASSWORD_INVALID',
      'LDAP_USER',
      'WRONG_PASSWORD',
      'TOO_MANY_ATTEMPTS',
      'API_TOKEN_REFUSED',
    ],
    record: 'changed',
    handle: async ({ actor, params, body, origin, expectedVersion }) => {
      const { email } = await userRecords.get(params.id);
      requireSameId(body, params.id);
      if (body.email != null && emailKeyOf(body.email) !== emailKeyOf(email)) {
        throw new BadInput('BAD_REQUEST', `User ${params.id} has another e-mail.`, {
          path: ['email'],
        });
      }
      const user = await userPasswords.set(
        actor,
        params.id,
        body.password ?? '',
        expectedVersion,
        confirmationOf(body, origin),
      );
      return recordReply(undefined, user);
    },
  });

const deleteUserPassword = ({ userPasswords }: UserRouteContext): Route =>
  route('DELETE /user/:id/password', {
    needs: userPolicy.removePassword,
    summary: 'Removes the local password of another user',
    params: IdParams,
    success: 204,
    description:
      'The LDAP directory then checks the password of the user. Ends all their sessions. `hypha user reset-password` sets a local password again.',
    errors: [
      'USER_NOT_EXIST',
      'LDAP_NOT_CONFIGURED',
      'LDAP_OWN_ACCOUNT',
      'LDAP_USER',
      'API_TOKEN_REFUSED',
    ],
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await userPasswords.remove(actor, params.id, expectedVersion)),
  });

const putUserDetail =
  (path: `/${string}`, success: 200 | 201) =>
  ({ shown, users, userRecords }: UserRouteContext): Route =>
    route(`PUT ${path}`, {
      needs: userPolicy.changeDetail,
      summary: 'Changes the details of a user',
      params: IdParams,
      body: DetailInput,
      example: { body: {} },
      success,
      answer: shown.detail.answer,
      errors: ['USER_NOT_EXIST'],
      sentAs: IN_DETAIL,
      record: 'changed',
      description:
        'Omitted fields stay unchanged. `profilePicture` is ignored: upload a file to change the picture.',
      handle: async ({ actor, params, body, origin, expectedVersion }) => {
        await userRecords.get(params.id);
        requireSameId(body, params.id);
        const user = await users.changeDetail(
          actor,
          params.id,
          detailChange(body),
          expectedVersion,
        );
        return recordReply(
          shown.detail(user, origin.baseUrl),
          user,
          success === 201 ? addressOf(user, origin.baseUrl) : undefined,
        );
      },
    });

const putUserUserGroup = ({ userRecords, users }: UserRouteContext): Route =>
  route('PUT /user/:id/userGroup', {
    needs: userPolicy.changeGroup,
    summary: 'Moves a user to another group',
    params: IdParams,
    body: GroupChangeInput,
    example: { body: { userGroup: 2 } },
    success: 201,
    errors: ['USER_NOT_EXIST', 'GROUP_NOT_FOUND', 'LAST_ADMINISTRATOR'],
    record: 'changed',
    handle: async ({ actor, params, body, origin, expectedVersion }) => {
      await userRecords.get(params.id);
      requireSameId(body, params.id);
      const groupId = groupIdOf(body.userGroup);
      if (groupId === undefined)
        throw new BadInput('BAD_REQUEST', 'The group is missing.', { path: ['userGroup'] });
      const user = await users.changeGroup(actor, params.id, groupId, expectedVersion);
      return recordReply(undefined, user, addressOf(user, origin.baseUrl));
    },
  });

const deleteUserById = ({ userDeletion }: UserRouteContext): Route =>
  route('DELETE /user/:id', {
    needs: userPolicy.delete,
    summary: 'Deletes a user',
    params: IdParams,
    success: 204,
    statuses: DENIED_AS_500,
    errors: ['USER_NOT_EXIST', 'SELF_DELETION', 'LAST_ADMINISTRATOR'],
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await userDeletion.remove(actor, params.id, expectedVersion)),
  });

/** User routes of spec 4.1, and further ones that clients of the released line call. */
export const userRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = userRouteContext(services, presenters);
  return [
    getUserAll,
    getUserCheckByEmail,
    getUserById,
    postUser,
    putUserListDelete,
    putUserById,
    putUserPassword,
    deleteUserPassword,
    putUserDetail('/user/:id/userDetail', 201),
    putUserDetail('/userDetail/:id', 200),
    putUserUserGroup,
    deleteUserById,
  ].map((create) => create(context));
};
