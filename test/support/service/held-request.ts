import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ReachedService } from './harness';

/**
 * Begins a POST request and holds its body back, so that it is authenticated before what a test
 * does next. Returns a function that sends the body, for status and code of the response.
 */
export async function heldRequest(
  { url }: ReachedService,
  path: string,
  { token, body }: { readonly token: string; readonly body: object },
): Promise<() => Promise<[number | undefined, unknown]>> {
  const sent = JSON.stringify(body);
  const pending = request(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: token,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(sent),
      expect: '100-continue',
    },
  });
  pending.flushHeaders();
  await once(pending, 'continue');
  return async () => {
    pending.end(sent);
    const [response] = (await once(pending, 'response')) as [IncomingMessage];
    const answer = await text(response);
    return [response.statusCode, answer === '' ? undefined : JSON.parse(answer).message];
  };
}
