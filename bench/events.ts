import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { startService } from '../test/support/service/harness';
import type { TestService } from '../test/support/service/harness';
import { method, saved, started, workflow } from '../test/support/documents/workflows';
import type { BenchResult } from './result';

const CLIENTS = 100;
const STEPS = 200;
/** RunStarted, two for each step, RunFinished. */
const EVENTS = 2 * STEPS + 2;

const QUERY = `subscription($runId: ID!) { runEvents(runId: $runId, afterSequence: 0) { __typename sequence
  ... on StepFinished { index state statusCode durationMs } } }`;

interface Watched {
  readonly inOrder: boolean;
  readonly count: number;
}

/** One socket of its own that follows the run to its end. */
async function watch(service: TestService, runId: number): Promise<Watched> {
  const client = createClient({
    url: `${service.url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { Authorization: service.adminToken },
  });
  let count = 0;
  let inOrder = true;
  for await (const { data } of client.iterate<any>({ query: QUERY, variables: { runId } })) {
    count += 1;
    inOrder &&= data.runEvents.sequence === count;
  }
  await client.dispose();
  return { count, inOrder };
}

/** A remote system that answers at once, but holds the first call until it is let go. */
async function heldRemote(): Promise<{ url: string; letGo: () => void; close: () => void }> {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const server = createServer(
    (_request, response) =>
      void gate.then(() =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
      ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    letGo,
    close: () => server.close(),
  };
}

async function timedRun(
  service: TestService,
  clients: number,
): Promise<{ ms: number; watched: Watched[] }> {
  const remote = await heldRemote();
  const runId = await started(
    service,
    await saved(
      service,
      workflow(Array.from({ length: STEPS }, (_, nth) => method(`${nth}`, remote.url))),
    ),
  );
  const watching = Array.from({ length: clients }, () => watch(service, runId));
  // All are connected and have the first events when the run goes on.
  await service.data('{ runs { totalCount } }');
  const from = performance.now();
  remote.letGo();
  const watched = await Promise.all(watching);
  remote.close();
  return { ms: performance.now() - from, watched };
}

/** Live events of one run to many sockets: everybody gets everything, in order. Service and clients share one process here. */
export async function run(): Promise<BenchResult[]> {
  const service = await startService();
  try {
    const alone = await timedRun(service, 1);
    const together = await timedRun(service, CLIENTS);
    const complete = together.watched.filter(
      ({ count, inOrder }) => inOrder && count === EVENTS,
    ).length;
    return [
      {
        name: `clients that saw all ${EVENTS} events of ${STEPS} steps in order`,
        value: complete,
        unit: `of ${CLIENTS}`,
        target: { exactly: CLIENTS },
        judged: true,
      },
      {
        name: `the run with ${CLIENTS} clients watching`,
        value: together.ms,
        unit: 'ms',
        detail: 'clients in the same process',
      },
      { name: 'the run with one client watching', value: alone.ms, unit: 'ms' },
      {
        name: 'events delivered per second',
        value: (CLIENTS * EVENTS) / (together.ms / 1000),
        unit: '1/s',
      },
    ];
  } finally {
    await service.close();
  }
}
