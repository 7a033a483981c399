import fc from 'fast-check';
import { createTokens } from '../../../src/platform/crypto/tokens';
import type { TokenClaims } from '../../../src/platform/crypto/tokens';
import { movingClock } from '../../support/service/moving-clock';
import { rounds } from '../../support/rounds';

const START = 1_700_000_000;
const claims: TokenClaims = {
  sub: 'ada@hypha.test',
  userId: 7,
  role: 'User',
  sessionTime: 1_000,
  iat: START,
  exp: START + 100,
  jti: 'a-session',
};
const made = () => {
  const clock = movingClock(START * 1000);
  const tokens = createTokens(Buffer.from('a secret of thirty-two bytes or more'), clock);
  return { clock, tokens, token: tokens.sign(claims) };
};

it('a cached token is valid until the second of its expiry and never again', () => {
  const { clock, tokens, token } = made();
  for (let second = 0; second < 100; second++) {
    expect(tokens.read(token)).toEqual({ state: 'valid', claims });
    clock.forward(1_000);
  }
  expect(tokens.read(token)).toEqual({ state: 'expired' });
  clock.forward(1_000);
  expect(tokens.read(token)).toEqual({ state: 'expired' });
});

it('a token that differs from a cached one in one character is rejected', () => {
  const { tokens, token } = made();
  expect(tokens.read(token).state).toBe('valid');
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom(...'ABYZabyz0189-_.='),
      (at, character) => {
        const other = token.slice(0, at) + character + token.slice(at + 1);
        expect(tokens.read(other).state).toBe(other === token ? 'valid' : 'invalid');
      },
    ),
    { numRuns: rounds(500) },
  );
  expect(tokens.read(`${token}=`).state).toBe('invalid');
  expect(tokens.read(token.slice(0, -1)).state).toBe('invalid');
});

it('the token cache distinguishes rejected and accepted tokens', () => {
  const { tokens, token } = made();
  const foreignToken = createTokens(
    Buffer.from('another secret of thirty-two bytes or more'),
    movingClock(START * 1000),
  ).sign(claims);
  for (let round = 0; round < 3; round++)
    expect([tokens.read(foreignToken).state, tokens.read(token).state]).toEqual([
      'invalid',
      'valid',
    ]);
});
