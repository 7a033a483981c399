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

/** A path for the log: without what is secret in it, however it is written. */
export function maskPath(path: string): string {
  const segments = path.split('/');
  const names = segments.map(decoded);
  return segments.map((segment, at) => (segment !== '' && NAMES.every((name, nth) => names[at - NAMES.length + nth] === name) ? MASK : segment)).join('/');
}

/** The token in the URL of a webhook, of whichever service; null: it is the URL of none. */
export function webhookTokenIn(url: string): string | null {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' };
  const at = pathname.lastIndexOf(WEBHOOK_CALLS);
  const token = at < 0 ? '' : decoded(pathname.slice(at + WEBHOOK_CALLS.length)).replace(/\/$/, '');
  return token === '' ? null : token;
}
