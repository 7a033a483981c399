import type { CookieJar } from 'tough-cookie';

const MAX_COOKIES_PER_ANSWER = 50;
const MAX_COOKIE_LENGTH = 4_096;

/** Cookies that remote systems set, kept for as long as this object lives (RFC 6265). */
export class Cookies {
  private jar: CookieJar | null = null;

  get isEmpty(): boolean {
    return this.jar === null;
  }

  /** Stores the `Set-Cookie` headers of an answer; invalid and oversized ones are ignored, as browsers do. */
  store(url: URL, header: string | string[] | undefined): void {
    if (header === undefined) return;
    this.jar ??= createJar();
    for (const cookie of [header].flat().slice(0, MAX_COOKIES_PER_ANSWER)) {
      if (cookie.length <= MAX_COOKIE_LENGTH)
        this.jar.setCookieSync(cookie, url.href, { ignoreError: true });
    }
  }

  /** The `Cookie` header for a request: the cookies kept for this URL behind those that the request has; undefined without any. */
  headerFor(url: URL, own: string | undefined): string | undefined {
    const kept = this.jar?.getCookieStringSync(url.href) ?? '';
    if (kept === '') return own;
    if (own === undefined || own === '') return kept;
    const names = new Set(own.split(';').map(nameOf));
    return [
      own,
      ...kept
        .split(';')
        .filter((cookie) => !names.has(nameOf(cookie)))
        .map((cookie) => cookie.trim()),
    ].join('; ');
  }
}

const nameOf = (cookie: string): string => cookie.split('=')[0].trim();

/** The public methods of `Cookies`. */
export type CookieStore = Pick<Cookies, keyof Cookies>;

/** Loaded when the first cookie comes: few services set any. */
function createJar(): CookieJar {
  const { CookieJar: Jar } = require('tough-cookie') as { CookieJar: typeof CookieJar };
  return new Jar(undefined, { looseMode: true });
}
