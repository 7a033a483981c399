import { createHash, randomBytes } from 'node:crypto';

/** The user and password of a URL. */
export interface UserInfo {
  readonly user: string;
  readonly password: string;
}

const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};
const PARAMETER = /(?<![a-z])([a-z]{1,30})\s?=\s?(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;
const MAX_HEADER_LENGTH = 8_192;

/**
 * Returns the `Authorization` header for a Digest challenge (RFC 7616, `qop=auth` or none), or null
 * if no challenge is supported.
 * @param challenges the `WWW-Authenticate` headers
 * @param path path and query as sent
 */
export function digestAuthorization(
  challenges: readonly string[],
  { user, password }: UserInfo,
  method: string,
  path: string,
): string | null {
  for (const challenge of challenges.flatMap(digestChallenges)) {
    const { realm = '', nonce, opaque, algorithm = 'MD5', qop } = challenge;
    const base = algorithm.toUpperCase().replace(/-SESS$/, '');
    const hash = HASHES[base];
    const offered = qop?.split(',').map((each) => each.trim().toLowerCase());
    if (nonce === undefined || hash === undefined || offered?.includes('auth') === false) continue;
    const hashed = (...parts: readonly string[]): string =>
      createHash(hash).update(parts.join(':')).digest('hex');
    const cnonce = randomBytes(16).toString('hex');
    const isSession = /-sess$/i.test(algorithm);
    const secret = isSession
      ? hashed(hashed(user, realm, password), nonce, cnonce)
      : hashed(user, realm, password);
    const count = '00000001';
    const response =
      offered === undefined
        ? hashed(secret, nonce, hashed(method, path))
        : hashed(secret, nonce, count, cnonce, 'auth', hashed(method, path));
    const quoted = Object.entries({
      username: user,
      realm,
      nonce,
      uri: path,
      response,
      ...(opaque !== undefined && { opaque }),
      ...((offered !== undefined || isSession) && { cnonce }),
    });
    const plain = [
      `algorithm=${algorithm}`,
      ...(offered === undefined ? [] : ['qop=auth', `nc=${count}`]),
    ];
    return `Digest ${[...quoted.map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`), ...plain].join(', ')}`;
  }
  return null;
}

/** Parses the Digest challenges of a header, which may contain several challenges. */
function digestChallenges(header: string): Record<string, string | undefined>[] {
  return header
    .slice(0, MAX_HEADER_LENGTH)
    .split(/(?:^|,\s*|\s)(?=(?:Digest|Basic|Bearer|NTLM|Negotiate)\s)/i)
    .filter((challenge) => /^Digest\s/i.test(challenge.trim()))
    .map((challenge) =>
      Object.fromEntries(
        [...challenge.matchAll(PARAMETER)].map(([, name, quoted, plain]) => [
          name.toLowerCase(),
          quoted?.replace(/\\(.)/g, '$1') ?? plain,
        ]),
      ),
    );
}
