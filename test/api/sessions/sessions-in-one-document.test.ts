import { sign } from 'jsonwebtoken';
import { testService, unique } from '../../support/service/harness';
import type { GraphqlAnswer } from '../../support/service/harness';

const TOKEN_SECRET = 'a token secret of more than thirty-two bytes';

const service = testService({ env: { HYPHA_TOKEN_SECRET: TOKEN_SECRET } });

const CREATE = (name: string): string =>
  `categoryCreate(input: { name: "${name}" }) { userErrors { code } }`;
const exists = async (name: string): Promise<boolean> =>
  (
    await service.field(
      'query($name: String!) { categories(filter: { name: { eq: $name } }) { totalCount } }',
      { name },
    )
  ).totalCount > 0;
const refusals = ({ errors = [] }: GraphqlAnswer): unknown =>
  errors.map(({ path, extensions }) => [path?.[0], extensions.code]);
const signedIn = () =>
  service.userWith([
    'CONNECTION:CREATE',
    'CONNECTION:READ',
    'MYPROFILE:READ',
    'MYPROFILE:UPDATE',
    'USER:UPDATE',
  ]);

describe('a document of several mutations', () => {
  it.each(['logout', 'sessionEnd', 'userSessionsEnd'])(
    'executes nothing after %s has ended its session',
    async (ending) => {
      const { token, id } = await signedIn();
      const session = (await service.field('{ mySessions(first: 1) { sessionId } }', {}, token))[0]
        .sessionId as string;
      const input = {
        logout: '',
        sessionEnd: `(input: { sessionId: "${session}" })`,
        userSessionsEnd: `(input: { id: "${id}" })`,
      }[ending];
      const [before, after] = [unique('before '), unique('after ')];
      const answer = await service.gql(
        `mutation { before: ${CREATE(before)} ended: ${ending}${input} { userErrors { code } } after: ${CREATE(after)} }`,
        {},
        token,
      );
      expect(refusals(answer)).toEqual([['after', 'UNAUTHENTICATED']]);
      expect([await exists(before), await exists(after)]).toEqual([true, false]);
      expect((await service.gql('{ mySessions { sessionId } }', {}, token)).status).toBe(401);
    },
  );

  it('executes nothing after its user lost the permission', async () => {
    const { token, id } = await signedIn();
    const { groupId } = await service.userWith(['USER:UPDATE']);
    const name = unique('moved ');
    const answer = await service.gql(
      `mutation { moved: userUpdate(input: { id: "${id}", groupId: "${groupId}" }) { userErrors { code } } after: ${CREATE(name)} }`,
      {},
      token,
    );
    expect([refusals(answer), await exists(name)]).toEqual([[['after', 'FORBIDDEN']], false]);
  });

  it('continues after a change of the own password, which keeps the session', async () => {
    const { token, password: currentPassword } = await signedIn();
    const name = unique('password ');
    const newPassword = 'another long password';
    const answer = await service.gql(
      `mutation ($input: OwnPasswordChangeInput!) { changed: ownPasswordChange(input: $input) { userErrors { code } } after: ${CREATE(name)} }`,
      { input: { currentPassword, newPassword, confirmPassword: newPassword } },
      token,
    );
    expect([refusals(answer), await exists(name)]).toEqual([[], true]);
  });
});

it.each([{ crit: ['b64'], b64: true }, { crit: ['exp'] }, { b64: false }, { crit: [] }])(
  'a token whose header has %j is rejected despite a valid signature',
  async (header) => {
    const { token } = await signedIn();
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    const signed = (more: object): string =>
      `Bearer ${sign(claims, TOKEN_SECRET, { header: { alg: 'HS256', ...more } })}`;
    const statusesOf = async (bearer: string): Promise<number[]> => [
      await service.status('GET', '/api/category/all', { token: bearer }),
      (await service.gql('{ mySessions { sessionId } }', {}, bearer)).status,
    ];
    expect([await statusesOf(signed({})), await statusesOf(signed(header))]).toEqual([
      [200, 200],
      [401, 401],
    ]);
  },
);
