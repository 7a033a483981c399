import type { CookieJar } from 'tough-cookie';

const MAX_COOKIES_PER_ANSWER = 50;
const MAX_COOKIE_LENGTH = 4_096;

/** Cookie store (RFC 6265) with the lifetime of this object. */
export class Cookies {
  private jar: CookieJar | null = null;

  get isEmpty(): boolean {
    return this.jar === null;
  }

  /** Stores `Set-Cookie` headers; ignores invalid and oversized cookies, as browsers do. */
  store(url: URL, header: string | string[] | undefined): void {
    if (header === undefined) return;
    this.jar ??= createJar();
    for (const cookie of [header].flat().slice(0, MAX_COOKIES_PER_ANSWER)) {
      if (cookie.length <= MAX_COOKIE_LENGTH)
        this.jar.setCookieSync(cookie, url.href, { ignoreError: true });
    }
  }

  /** Returns the `Cookie` header: the cookies of the request, then stored ones; or undefined. */
  headerFor(url: URL, own: string | undefined): string | undefined {
    const storedCookies = this.jar?.getCookieStringSync(url.href) ?? '';
    if (storedCookies === '') return own;
    if (own === undefined || own === '') return storedCookies;
    const names = new Set(own.split(';').map(nameOf));
    return [
      own,
      ...storedCookies
        .split(';')
        .filter((cookie) => !names.has(nameOf(cookie)))
        .map((cookie) => cookie.trim()),
    ].join('; ');
  }
}

const nameOf = (cookie: string): string => cookie.split('=')[0].trim();

/** The public methods of `Cookies`. */
export type CookieStore = Pick<Cookies, keyof Cookies>;

/** Loaded on the first cookie: few services set any. */
function createJar(): CookieJar {
  const { CookieJar: Jar } = require('tough-cookie') as { CookieJar: typeof CookieJar };
  return new Jar(undefined, { looseMode: true });
}
