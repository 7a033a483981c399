import { MASK } from './mask-tree';

/** What the path of a call of a webhook goes on with after `/api`; the segment behind it is the token, and whoever has that may start what it starts. */
export const WEBHOOK_CALLS = '/webhook/execute/';

const [, ...NAMES] = WEBHOOK_CALLS.split('/').slice(0, -1);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** What stands between two segments, also for whoever encodes it. */
const SLASH = /(\/|%2f)/i;

/** A path for the log: without what is secret in it, however it is written. Behind the names of a call nothing is shown, since an address that was put together wrong holds the token as well. */
export function maskPath(path: string): string {
  let found = 0;
  return path
    .split(SLASH)
    .map((piece, at) => {
      const isSegment = at % 2 === 0 && piece !== '';
      if (!isSegment) return piece;
      if (found === NAMES.length) return MASK;
      const name = decoded(piece).toLowerCase();
      found = name === NAMES[found] ? found + 1 : Number(name === NAMES[0]);
      return piece;
    })
    .join('');
}

const CALL = new RegExp(`${NAMES.join('(?:/|%2f)+')}(?:/|%2f)+([\\w-]{16,})`, 'gi');

/** What may be tokens in a text that holds addresses of webhooks, also in one that is no URL. */
export const webhookTokensIn = (text: string): string[] =>
  [...text.matchAll(CALL)].map(([, token]) => token);

/** The token in the URL of a webhook, of whichever service; null: it is the URL of none. */
export function webhookTokenIn(url: string): string | null {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' };
  const at = pathname.lastIndexOf(WEBHOOK_CALLS);
  const token = at < 0 ? '' : decoded(pathname.slice(at + WEBHOOK_CALLS.length)).replace(/\/$/, '');
  return token === '' ? null : token;
}
