/** Path of webhook calls after `/api`. The next segment is a token that starts the workflow. */
export const WEBHOOK_CALLS = '/webhook/execute/';

const CALL = new RegExp(
  `${WEBHOOK_CALLS.slice(1).replaceAll('/', '(?:/|%2f)+')}([\\w-]{16,})`,
  'gi',
);

/** Returns possible webhook tokens in a text, which need not be a URL. */
export const webhookTokensIn = (text: string): string[] =>
  text.search(CALL) < 0 ? [] : [...text.matchAll(CALL)].map(([, token]) => token);

/** Returns the token in a webhook URL of any service, or null. */
export function webhookTokenIn(url: string): string | null {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' };
  const at = pathname.lastIndexOf(WEBHOOK_CALLS);
  if (at < 0) return null;
  const segment = pathname.slice(at + WEBHOOK_CALLS.length);
  return decodedSegment(segment).replace(/\/$/, '') || null;
}

/** Decodes percent-encoding; returns invalid segments unchanged. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
