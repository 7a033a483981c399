import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { NOT_STORED, Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { Identifiers, NOBODY, PathId, requiring } from '../../platform/http/scalars';
import { userContext } from '../users/user.presenter';
import { secondFactorPolicy } from './second-factor.policy';
import type { Enrolment } from '../sessions/session.ports';

const route = routesTagged('Second factor');
const code = z
  .string()
  .nullish()
  .meta({ description: 'Six digits of the authenticator app, or a recovery code.' });

const EnrolmentBody = z
  .object({
    secretKey: z.string().meta({ description: 'The secret in base32, to type it.' }),
    uri: z.string().meta({ description: '`otpauth://totp/…`' }),
    qr: z.string().meta({ description: 'The URI as QR code: a data URL of a PNG.' }),
  })
  .meta({ id: 'SecondFactorEnrolment' });

const RecoveryCodesBody = z
  .object({
    recoveryCodes: z.array(z.string()).meta({
      description: 'Each in place of one code of the app. They are shown only here.',
    }),
  })
  .meta({ id: 'RecoveryCodes' });

const CodeInput = requiring(z.object({ code }), 'code').meta({ id: 'SecondFactorCode' });
const ChallengeInput = requiring(
  z.object({
    sessionId: z.string().nullish().meta({ description: '`sessionId` of the login response.' }),
    code,
  }),
  'sessionId',
  'code',
).meta({ id: 'SecondFactorLogin' });
const PasswordInput = requiring(z.object({ password: z.string().nullish() }), 'password').meta({
  id: 'PresentPassword',
});

const Action = z.enum(['enable', 'disable']);
const present = ({ secretKey, uri, qr }: Enrolment) => ({ secretKey, uri, qr });

const secondFactorRouteContext = (services: Services, { users: shown }: Presenters) => ({
  shown,
  services,
});
type SecondFactorRouteContext = ReturnType<typeof secondFactorRouteContext>;

const postTotpValidate = ({ shown, services }: SecondFactorRouteContext): Route =>
  route('POST /totp-validate', {
    servedOnFullDisk: true,
    alsoAtRoot: true,
    needs: 'public',
    summary: 'Completes a login with a code',
    description:
      'The `Authorization` header of the response contains the token of the new session. After a new app was set up, the body also has `recoveryCodes`.',
    body: ChallengeInput,
    example: { body: { sessionId: '', code: '' } },
    answer: shown.one.answer,
    anyContentType: true,
    errors: ['ACCESS_DENIED', 'TOO_MANY_ATTEMPTS'],
    answerHeaders: {
      Authorization: {
        description: 'Token of the new session, for the same header of later requests.',
        schema: { type: 'string', pattern: '^Bearer \\S+$' },
      },
    },
    handle: async ({ body, origin }) => {
      const { user, token, recoveryCodes } = await services.secondFactorLogin.complete(
        body.sessionId ?? '',
        body.code ?? '',
        origin,
      );
      const userBody = (await shown.one(user, userContext(services, origin))) as object;
      return new Reply(recoveryCodes ? { ...userBody, recoveryCodes } : userBody, {
        Authorization: `Bearer ${token}`,
        ...NOT_STORED,
      });
    },
  });

const getUserTotpQrExists = ({ services }: SecondFactorRouteContext): Route =>
  route('GET /user/totp-qr/exists', {
    needs: secondFactorPolicy.readOwn,
    summary: 'Returns whether you have a second factor',
    answer: z.object({ result: z.boolean() }),
    handle: async ({ actor }) => {
      const [state] = await services.secondFactorRecords.states([actor.userId]);
      return { result: state !== 'OFF' };
    },
  });

const postSecondFactorBegin = ({ services }: SecondFactorRouteContext): Route =>
  route('POST /second-factor/begin', {
    needs: secondFactorPolicy.changeOwn,
    summary: 'Creates a secret for your authenticator app',
    description: 'It has no effect until it is confirmed with a code.',
    body: PasswordInput,
    example: { body: { password: '' } },
    answer: EnrolmentBody,
    errors: [
      'WRONG_PASSWORD',
      'SECOND_FACTOR_ON',
      'API_TOKEN_REFUSED',
      'TOO_MANY_ATTEMPTS',
      'LDAP_UNAVAILABLE',
    ],
    handle: async ({ actor, body, origin }) =>
      new Reply(
        present(await services.secondFactors.begin(actor, body.password ?? '', origin.network)),
        NOT_STORED,
      ),
  });

const postSecondFactorConfirm = ({ services }: SecondFactorRouteContext): Route =>
  route('POST /second-factor/confirm', {
    needs: secondFactorPolicy.changeOwn,
    summary: 'Turns your second factor on with a first code',
    body: CodeInput,
    example: { body: { code: '' } },
    answer: RecoveryCodesBody,
    errors: [
      'SECOND_FACTOR_INVALID',
      'SECOND_FACTOR_OFF',
      'SECOND_FACTOR_ON',
      'API_TOKEN_REFUSED',
      'TOO_MANY_ATTEMPTS',
    ],
    handle: async ({ actor, body, origin }) => {
      const recoveryCodes = await services.secondFactors.confirm(
        actor,
        body.code ?? '',
        origin.network,
      );
      return new Reply({ recoveryCodes }, NOT_STORED);
    },
  });

const postSecondFactorRecoveryCodes = ({ services }: SecondFactorRouteContext): Route =>
  route('POST /second-factor/recovery-codes', {
    needs: secondFactorPolicy.changeOwn,
    summary: 'Replaces your recovery codes',
    body: CodeInput,
    example: { body: { code: '' } },
    answer: RecoveryCodesBody,
    errors: [
      'SECOND_FACTOR_INVALID',
      'SECOND_FACTOR_OFF',
      'API_TOKEN_REFUSED',
      'TOO_MANY_ATTEMPTS',
    ],
    handle: async ({ actor, body, origin }) => {
      const recoveryCodes = await services.secondFactors.renewRecoveryCodes(
        actor,
        body.code ?? '',
        origin.network,
      );
      return new Reply({ recoveryCodes }, NOT_STORED);
    },
  });

const postSecondFactorDisable = ({ services }: SecondFactorRouteContext): Route =>
  route('POST /second-factor/disable', {
    needs: secondFactorPolicy.changeOwn,
    summary: 'Removes your second factor',
    body: CodeInput,
    example: { body: { code: '' } },
    success: 204,
    errors: [
      'SECOND_FACTOR_INVALID',
      'SECOND_FACTOR_OFF',
      'SECOND_FACTOR_REQUIRED',
      'API_TOKEN_REFUSED',
      'TOO_MANY_ATTEMPTS',
    ],
    handle: async ({ actor, body, origin }) =>
      services.secondFactors.disable(actor, body.code ?? '', origin.network),
  });

const putUserListTotpByAction = ({ services }: SecondFactorRouteContext): Route =>
  route('PUT /user/list/totp/:action', {
    needs: secondFactorPolicy.changeOthers,
    summary: 'Requires or removes the second factor of users, all or none',
    params: z.object({ action: Action }),
    body: Identifiers,
    example: { params: { action: 'disable' }, body: NOBODY },
    errors: ['USER_NOT_EXIST', 'SECOND_FACTOR_OWN', 'API_TOKEN_REFUSED'],
    handle: async ({ actor, params, body }) =>
      void (await services.secondFactors.changeOthers(actor, body.identifiers, params.action)),
  });

const putUserTotpByAction = ({ services }: SecondFactorRouteContext): Route =>
  route('PUT /user/:id/totp/:action', {
    needs: secondFactorPolicy.changeOthers,
    summary: 'Requires or removes the second factor of another user',
    description:
      '`enable`: the user sets up a new authenticator app at the next login, and all sessions of the user end.',
    params: z.object({ id: PathId, action: Action }),
    example: { params: { id: 1, action: 'disable' } },
    errors: ['USER_NOT_EXIST', 'SECOND_FACTOR_OWN', 'API_TOKEN_REFUSED'],
    handle: async ({ actor, params }) =>
      void (await services.secondFactors.changeOther(actor, params.id, params.action)),
  });

/** Paths of the released clients, and those for one's own second factor. */
export const secondFactorRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = secondFactorRouteContext(services, presenters);
  return [
    postTotpValidate,
    getUserTotpQrExists,
    postSecondFactorBegin,
    postSecondFactorConfirm,
    postSecondFactorRecoveryCodes,
    postSecondFactorDisable,
    putUserListTotpByAction,
    putUserTotpByAction,
  ].map((create) => create(context));
};
