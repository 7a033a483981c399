import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { NOT_STORED, Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams, requiring } from '../../platform/http/scalars';
import { userContext } from '../users/user.presenter';
import { sessionPolicy } from './session.policy';
import type { LoginChallenge } from './session.ports';

const route = routesTagged('Sessions');

const ChallengeBody = z
  .object({
    sessionId: z
      .string()
      .meta({ description: 'For `POST /totp-validate`. Valid for ten minutes.' }),
    secretKey: z
      .string()
      .optional()
      .meta({ description: 'For a user who must set up an authenticator app: base32.' }),
    qr: z.string().optional().meta({ description: 'The secret as QR code: a data URL of a PNG.' }),
  })
  .meta({ id: 'LoginChallenge', description: 'The login needs a code of the second factor.' });

const presentChallenge = ({ challengeId, enrolment }: LoginChallenge) => ({
  sessionId: challengeId,
  ...(enrolment && { secretKey: enrolment.secretKey, qr: enrolment.qr }),
});

const text = z.string().nullish();
const LoginInput = requiring(
  z.object({
    email: text,
    username: text.meta({ description: '`email` of older clients.' }),
    password: text,
  }),
  'email',
  'password',
).meta({ id: 'Login' });

const sessionRouteContext = (services: Services, { users: shown }: Presenters) => {
  const { login, sessions } = services;
  return { shown, login, services, sessions };
};
type SessionRouteContext = ReturnType<typeof sessionRouteContext>;

const postLogin = ({ shown, login, services }: SessionRouteContext): Route =>
  route('POST /login', {
    servedOnFullDisk: true,
    alsoAtRoot: true,
    needs: 'public',
    summary: 'Signs in',
    body: LoginInput,
    example: { body: { email: 'you@example.com', password: '' } },
    answer: z.union([shown.one.answer, ChallengeBody]),
    anyContentType: true,
    errors: ['ACCESS_DENIED', 'TOO_MANY_ATTEMPTS', 'LDAP_UNAVAILABLE'],
    answerHeaders: {
      Authorization: {
        description: 'Token of the new session, for the same header of later requests.',
        schema: { type: 'string', pattern: '^Bearer \\S+$' },
      },
    },
    description:
      'The `Authorization` header of the response contains the token of the new session. Send the header unchanged with later requests. If the user has a second factor, the response has no such header but a `sessionId` for `POST /totp-validate`.',
    handle: async ({ body, origin }) => {
      const result = await login.login(
        { email: body.email ?? body.username ?? '', password: body.password ?? '' },
        origin,
      );
      return 'challengeId' in result
        ? new Reply(presentChallenge(result), NOT_STORED)
        : new Reply(await shown.one(result.user, userContext(services, origin)), {
            Authorization: `Bearer ${result.token}`,
            ...NOT_STORED,
          });
    },
  });

const getOidcInfo = (): Route =>
  route('GET /oidc/info', {
    needs: 'public',
    cannotFailWith: ['INTERNAL_SERVER_ERROR'],
    summary: 'Whether users can sign in with another service: no',
    description: 'For the 5.x client.',
    answer: z
      .object({ enabled: z.literal(false), displayName: z.literal('') })
      .meta({ id: 'OidcInfo' }),
    handle: () => Promise.resolve({ enabled: false, displayName: '' }),
  });

const postAuthLogout = ({ sessions }: SessionRouteContext): Route =>
  route('POST /auth/logout', {
    servedOnFullDisk: true,
    alsoAtRoot: true,
    needs: sessionPolicy.logout,
    summary: 'Signs out: ends the session of the token',
    success: 204,
    errors: ['API_TOKEN_REFUSED'],
    handle: async ({ actor }) => {
      await sessions.logout(actor);
    },
  });

const getUserLogout = ({ sessions }: SessionRouteContext): Route =>
  route('GET /user/:id/logout', {
    needs: sessionPolicy.endAll,
    summary: 'Ends all sessions of a user',
    params: IdParams,
    errors: ['USER_NOT_EXIST', 'SESSION_NOT_EXIST', 'API_TOKEN_REFUSED'],
    changesOnGet: true,
    handle: async ({ actor, params }) => {
      await sessions.endAllOf(actor, params.id);
    },
  });

/** Login and logout, under the paths of all client lines. */
export const sessionRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = sessionRouteContext(services, presenters);
  return [postLogin, getOidcInfo, postAuthLogout, getUserLogout].map((create) => create(context));
};
