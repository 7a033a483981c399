/* Sends requests, in a process of its own: 64 connections that each send the next request when an answer is complete. */
import { setTimeout as pause } from 'node:timers/promises';
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
  { readonly define: string; readonly requests: readonly LoadRequest[] } | SendOrder;

export interface SendOrder {
  readonly send: string;
  readonly origin: string;
  readonly from: number;
  readonly ms: number;
  /** Requests that are sent meanwhile one after the other, and not counted. */
  readonly writer?: { readonly name: string; readonly everyMs: number };
}

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

/** Writers have a connection of their own. */
const writerPools = new Map<string, Pool>();
let written = 0;

async function write({ origin, ms, writer }: SendOrder): Promise<void> {
  if (!writer) return;
  const requests = defined.get(writer.name) ?? [];
  const pool = writerPools.get(origin) ?? new Pool(origin, { connections: 1 });
  writerPools.set(origin, pool);
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const next = performance.now() + writer.everyMs;
    written += 1;
    await sendOne(pool, requests[written % requests.length]);
    await pause(Math.max(0, Math.min(next, end) - performance.now()));
  }
}

process.on('message', (order: LoadOrder) => {
  if ('define' in order) {
    defined.set(order.define, order.requests);
    return;
  }
  const requests = defined.get(order.send) ?? [];
  Promise.all([load(requests, order.origin, order.from, order.ms), write(order)]).then(
    ([sent]) => process.send?.({ sent }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
