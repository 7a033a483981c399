import fc from 'fast-check';
import { testService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { longDescribe } from '../../support/long';
import { storeConnection } from '../../support/store/stored';

const service = testService({ env: { HYPHA_LIMITS_LOGIN_FAILURES: '1000' } });

const COMPOSED = 'Crème brûlée à 한국'.normalize('NFC');
const DECOMPOSED = COMPOSED.normalize('NFD');
const login = (email: string, password: string) =>
  service.api('POST', '/login', { token: null, body: { email, password } });

it('a user signs in with a composing and with a decomposing keyboard', async () => {
  const { id, email } = await service.userWith([]);
  expect(
    await service.status('PUT', `/api/user/${id}/password`, { body: { password: DECOMPOSED } }),
  ).toBe(200);
  expect((await login(email, COMPOSED)).status).toBe(200);
  expect((await login(email, DECOMPOSED)).status).toBe(200);
  expect((await login(email, COMPOSED.replace('è', 'e'))).status).toBe(401);
});

longDescribe('text that is not well-formed Unicode', () => {
  const broken = fc
    .tuple(
      fc.string({ minLength: 4, maxLength: 8 }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
      fc.string({ unit: 'grapheme-ascii', minLength: 4, maxLength: 8 }),
    )
    .map(([before, half, after]) => before + String.fromCharCode(half) + after)
    .filter((text) => !text.isWellFormed());

  it('is rejected in every password, e-mail and name, without a change', async () => {
    const { id, email, password, token } = await service.userWith([
      'MYPROFILE:UPDATE',
      'MYPROFILE:READ',
    ]);
    const stored = async () =>
      storeConnection().collection<{ _id: number }>('users').findOne({ _id: id });
    const before = await stored();
    const count = (await service.field('{ users { totalCount } }')).totalCount as number;
    const code = async (answer: ReturnType<TestService['api']>): Promise<unknown> =>
      (await answer).body.message;
    const userErrors = async (mutation: string, input: object): Promise<unknown> => {
      const { data } = await service.gql(mutation, { input }, token);
      return Object.values(data)[0];
    };
    await fc.assert(
      fc.asyncProperty(broken, async (text) => {
        expect(await code(login(email, text))).toBe('BAD_REQUEST');
        expect(await code(login(text, password))).toBe('BAD_REQUEST');
        expect(
          await userErrors(
            'mutation ($input: LoginInput!) { login(input: $input) { token userErrors { code path } } }',
            { email, password: text },
          ),
        ).toEqual({ token: null, userErrors: [{ code: 'TEXT_INVALID', path: ['password'] }] });
        expect(
          await code(
            service.api('POST', '/api/user', {
              body: { email: `${unique('new')}@hypha.test`, password: text, userGroup: 2 },
            }),
          ),
        ).toBe('CREATION_ERROR');
        expect(
          await code(
            service.api('POST', '/api/user', {
              body: { email: `a${text}@hypha.test`, password, userGroup: 2 },
            }),
          ),
        ).toBe('CREATION_ERROR');
        expect(
          await code(
            service.api('PUT', `/api/user/${id}/password`, { body: { password: text }, token }),
          ),
        ).toBe('PASSWORD_INVALID');
        expect(
          await code(
            service.api('PUT', `/api/user/${id}/userDetail`, { body: { name: text }, token }),
          ),
        ).toBe('BAD_REQUEST');
        expect(
          await userErrors(
            'mutation ($input: OwnPasswordChangeInput!) { ownPasswordChange(input: $input) { userErrors { code } } }',
            { currentPassword: password, newPassword: text, confirmPassword: text },
          ),
        ).toEqual({ userErrors: [{ code: 'PASSWORD_INVALID' }] });
      }),
      { numRuns: 15 },
    );
    expect(await stored()).toEqual(before);
    expect((await service.field('{ users { totalCount } }')).totalCount).toBe(count);
  });
});
