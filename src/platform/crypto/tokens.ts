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

/** Signs and reads tokens: HS256 and nothing else, without `crit` and `b64`, `sub userId iat exp jti` required. The signature of a token is verified once. */
export interface Tokens {
  sign(claims: TokenClaims): string;
  read(token: string): ReadToken;
}

/** Longer than any token of ours; keeps the parser away from megabytes. */
const LONGEST_TOKEN = 4096;
/** Tokens whose signature need not be looked at again, about 1 KB each. */
const REMEMBERED = 10_000;

export function createTokens(secret: Buffer, clock: Clock): Tokens {
  // Given bytes, the library first tries to read them as a public key, at each call, and that takes 30 times as long as the rest.
  const key = createSecretKey(secret);
  // As they are: whoever reads the memory of the process has the key as well, and V8 finds a text by a hash that is another in each process. The
  // oldest goes first, in use or not: to note each use would take longer than the look.
  const verified = new Map<string, TokenClaims>();
  const remember = (token: string, claims: TokenClaims): void => {
    if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value ?? '');
    verified.set(token, claims);
  };

  const verifiedAt = (token: string, now: number): ReadToken => {
    try {
      const { header, payload } = verify(token, key, {
        algorithms: ['HS256'],
        clockTimestamp: now,
        complete: true,
      });
      return !hasExtensions(header) && isClaims(payload)
        ? { state: 'valid', claims: payload }
        : { state: 'invalid' };
    } catch (error) {
      return { state: error instanceof TokenExpiredError ? 'expired' : 'invalid' };
    }
  };

  return {
    sign: (claims) => sign(claims, key, { algorithm: 'HS256' }),
    read(token) {
      if (token.length > LONGEST_TOKEN) return { state: 'invalid' };
      const now = Math.floor(clock.now().getTime() / 1000);
      const known = verified.get(token);
      if (known) return now < known.exp ? { state: 'valid', claims: known } : { state: 'expired' };
      const read = verifiedAt(token, now);
      if (read.state === 'valid') remember(token, read.claims);
      return read;
    },
  };
}

/** RFC 7515 and 7797: a token with critical extensions is invalid unless all are understood. We support none, and the library ignores both headers. */
const hasExtensions = (header: object): boolean => 'crit' in header || 'b64' in header;

function isClaims(value: unknown): value is TokenClaims {
  if (typeof value !== 'object' || value === null) return false;
  const { sub, userId, iat, exp, jti } = value as Record<string, unknown>;
  return (
    typeof sub === 'string' &&
    Number.isSafeInteger(userId) &&
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    typeof jti === 'string' &&
    jti.length > 0
  );
}
