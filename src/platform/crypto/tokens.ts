import { createSecretKey } from 'node:crypto';
import { sign, TokenExpiredError, verify } from 'jsonwebtoken';
import type { Clock } from '../clock/clock';

/** What a token says. Times are seconds since the epoch. */
export interface TokenClaims {
  /** The e-mail, as installed clients expect it. */
  readonly sub: string;
  readonly userId: number;
  /** Name of the group at login. Informative: rights are read from the store. */
  readonly role: string;
  /** Idle limit in ms: clients count it down themselves. */
  readonly sessionTime: number;
  readonly iat: number;
  readonly exp: number;
  /** The session. */
  readonly jti: string;
}

export type ReadToken =
  | { readonly state: 'valid'; readonly claims: TokenClaims }
  | { readonly state: 'expired' }
  | { readonly state: 'invalid' };

/** Signs and reads tokens: HS256 and nothing else, `sub userId iat exp jti` required. */
export interface Tokens {
  sign(claims: TokenClaims): string;
  read(token: string): ReadToken;
}

/** Longer than any token of ours; keeps the parser away from megabytes. */
const LONGEST_TOKEN = 4096;

export function createTokens(secret: Buffer, clock: Clock): Tokens {
  // Given bytes, the library first tries to read them as a public key, at each call, and that takes 30 times as long as the rest.
  const key = createSecretKey(secret);
  return {
    sign: (claims) => sign(claims, key, { algorithm: 'HS256' }),
    read(token) {
      if (token.length > LONGEST_TOKEN) return { state: 'invalid' };
      try {
        const now = Math.floor(clock.now().getTime() / 1000);
        const claims: unknown = verify(token, key, { algorithms: ['HS256'], clockTimestamp: now });
        return isClaims(claims) ? { state: 'valid', claims } : { state: 'invalid' };
      } catch (error) {
        return { state: error instanceof TokenExpiredError ? 'expired' : 'invalid' };
      }
    },
  };
}

function isClaims(value: unknown): value is TokenClaims {
  if (typeof value !== 'object' || value === null) return false;
  const { sub, userId, iat, exp, jti } = value as Record<string, unknown>;
  return typeof sub === 'string' && Number.isSafeInteger(userId) && typeof iat === 'number' && typeof exp === 'number'
    && typeof jti === 'string' && jti.length > 0;
}
