import { createSecretKey } from 'node:crypto';
import { sign, TokenExpiredError, verify } from 'jsonwebtoken';
import type { Clock } from '../clock/clock';

/** Claims of a token. Times are seconds since the epoch. */
export interface TokenClaims {
  /** E-mail; existing clients expect it here. */
  readonly sub: string;
  readonly userId: number;
  /** Name of the group at login. Informative only: permissions are read from the store. */
  readonly role: string;
  /** Idle timeout in ms, which clients count down. */
  readonly sessionTime: number;
  readonly iat: number;
  readonly exp: number;
  /** Session id. */
  readonly jti: string;
}

type ReadToken =
  | { readonly state: 'valid'; readonly claims: TokenClaims }
  | { readonly state: 'expired' }
  | { readonly state: 'invalid' };

/**
 * Signs and verifies tokens: HS256 only, no `crit` or `b64` headers; requires `sub`, `userId`,
 * `iat`, `exp` and `jti`. Verified signatures are cached.
 */
export interface Tokens {
  sign(claims: TokenClaims): string;
  read(token: string): ReadToken;
}

/** Limit of the input of the parser; own tokens are shorter. */
const LONGEST_TOKEN = 4096;
/** Maximum number of cached verified tokens, about 1 KB each. */
const REMEMBERED = 10_000;

export function createTokens(secret: Buffer, clock: Clock): Tokens {
  // Given bytes, the library first tries to parse them as a public key, which is 30 times slower.
  const key = createSecretKey(secret);
  // Plain text keys are safe: the signing key is in the same memory, and V8 randomizes string
  // hashes. Evicts the oldest entry, used or not: tracking use would cost more than the lookup.
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
      const cachedClaims = verified.get(token);
      if (cachedClaims)
        return now < cachedClaims.exp
          ? { state: 'valid', claims: cachedClaims }
          : { state: 'expired' };
      const read = verifiedAt(token, now);
      if (read.state === 'valid') remember(token, read.claims);
      return read;
    },
  };
}

/**
 * RFC 7515, 7797: a token with critical extensions is invalid unless all are supported. None are,
 * and the library ignores both headers.
 */
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
