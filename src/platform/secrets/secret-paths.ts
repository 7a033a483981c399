import { MASK } from './mask-tree';

/** Path of webhook calls after `/api`. The next segment is a token that starts the workflow. */
export const WEBHOOK_CALLS = '/webhook/execute/';

const [, ...NAMES] = WEBHOOK_CALLS.split('/').slice(0, -1);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Separator of path segments, plain or percent-encoded. */
const SLASH = /(\/|%2f)/i;

/**
 * Masks secrets in a path for the log, in any encoding. Hides everything after the names of a
 * webhook call, since a malformed URL contains the token as well.
 */
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

/** Returns possible webhook tokens in a text, which need not be a URL. */
export const webhookTokensIn = (text: string): string[] =>
  [...text.matchAll(CALL)].map(([, token]) => token);

/** Returns the token in a webhook URL of any service, or null. */
export function webhookTokenIn(url: string): string | null {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' };
  const at = pathname.lastIndexOf(WEBHOOK_CALLS);
  const token = at < 0 ? '' : decoded(pathname.slice(at + WEBHOOK_CALLS.length)).replace(/\/$/, '');
  return token === '' ? null : token;
}
