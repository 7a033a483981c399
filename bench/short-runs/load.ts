/*
 * Calls webhooks, and is the remote system that their runs call, in a process of its own. A run is in flight until its call was answered and its
 * request has arrived here: so nothing has to ask the service whether the run goes on.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { listen } from '../peers/servers/listen';

export interface CallOrder {
  /** Of the webhook. */
  readonly url: string;
  readonly calls: number;
  readonly inFlight: number;
}

/** Sent when all calls were answered and all requests have arrived. */
export type CallReport = { readonly made: number } | { readonly failure: string };

const SILENCE_MS = 60_000;

let arrived = 0;
const waiting: (() => void)[] = [];

/** Resolves when one more request has arrived than were waited for. */
async function arrival(): Promise<void> {
  if (arrived > 0) {
    arrived -= 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`No request arrived for ${SILENCE_MS} ms.`)),
      SILENCE_MS,
    );
    waiting.push(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const remote = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":7,"name":"a name"}');
  const next = waiting.shift();
  if (next) next();
  else arrived += 1;
});

const pools = new Map<string, Pool>();

async function callAll({ url, calls, inFlight }: CallOrder): Promise<CallReport> {
  const { origin, pathname: path } = new URL(url);
  const pool = pools.get(origin) ?? new Pool(origin, { connections: inFlight });
  pools.set(origin, pool);
  let left = calls;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request({ method: 'POST', path });
      const text = await body.text();
      if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}: ${text}`);
      await arrival();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return { made: calls };
}

process.on('message', (order: CallOrder) => {
  callAll(order).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ failure: String(error) } satisfies CallReport),
  );
});
process.once('disconnect', () => process.exit(0));
void listen(remote).then((url) => process.send?.(url));
