/* Sends requests, in a process of its own: 64 connections that each send the next request when an answer is complete. */
import { Pool } from 'undici';

const CONNECTIONS = 64;

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  readonly body?: string;
}

/** `define` keeps requests under a name; `send` sends them, from one on, over and over until the time is over. */
export type LoadOrder =
  | { readonly define: string; readonly requests: readonly LoadRequest[] }
  | { readonly send: string; readonly origin: string; readonly from: number; readonly ms: number };

/** The number of requests, or the first failure. */
export type LoadReport = { readonly sent: number } | { readonly failure: string };

const defined = new Map<string, readonly LoadRequest[]>();
const pools = new Map<string, Pool>();

async function sendOne(pool: Pool, { method, path, token, body }: LoadRequest): Promise<void> {
  const answer = await pool.request({
    method,
    path,
    body,
    headers: {
      authorization: token,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  });
  if (answer.statusCode !== 200)
    throw new Error(`${method} ${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
  await answer.body.dump({ limit: Infinity });
}

async function load(requests: readonly LoadRequest[], origin: string, from: number, ms: number) {
  const pool = pools.get(origin) ?? new Pool(origin, { connections: CONNECTIONS });
  pools.set(origin, pool);
  const end = performance.now() + ms;
  let sent = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      const request = requests[(from + sent) % requests.length];
      sent += 1;
      await sendOne(pool, request);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return sent;
}

process.on('message', (order: LoadOrder) => {
  if ('define' in order) {
    defined.set(order.define, order.requests);
    return;
  }
  const requests = defined.get(order.send) ?? [];
  load(requests, order.origin, order.from, order.ms).then(
    (sent) => process.send?.({ sent }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
