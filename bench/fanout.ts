import { join } from 'node:path';
import { SocketGroup } from './fanout/socket-group';
import { DASHBOARD, RUN_EVENTS } from './fanout/events';
import { startPeer } from './fanout/peer';
import { connecting, SOCKETS, measurePublish } from './fanout/measures';
import type { Peer, Topic } from './fanout/peer';
import { inTurn, median } from './measure/in-turn';
import type { BenchResult } from './result';

const ROUNDS = 5;
/** Warm-up rounds: a service that runs for weeks has compiled the code that connects clients. */
const CONNECTED_BEFORE = 5;
const KILOBYTE = 1_000;

const PEERS = ['hypha', 'stock'] as const;
type Name = (typeof PEERS)[number];
type Each<T> = Record<Name, T>;

/** Does the same with each. */
async function withEach<T>(work: (name: Name) => Promise<T>): Promise<Each<T>> {
  return { hypha: await work('hypha'), stock: await work('stock') };
}

async function topicOf(
  peers: Each<Peer>,
  topic: Topic,
): Promise<{ publishTimes: Each<number[]>; held: Each<number> }> {
  const alone = await withEach((name) => peers[name].memory());
  const groups = await withEach((name) => SocketGroup.connect(peers[name], SOCKETS));
  for (const name of PEERS) {
    const { runId, sequence } = peers[name];
    if (topic === 'run') groups[name].subscribe(RUN_EVENTS, { runId, after: sequence });
    else groups[name].subscribe(DASHBOARD, {});
    // A dashboard begins with what is there.
    if (topic === 'dashboard' && name === 'hypha') await groups[name].messages(SOCKETS);
    await groups[name].flush();
  }
  const publishTimes = await inTurn(
    {
      hypha: measurePublish(peers.hypha, groups.hypha, topic),
      stock: measurePublish(peers.stock, groups.stock, topic),
    },
    { warmUp: 1, rounds: ROUNDS },
  );
  const full = await withEach((name) => peers[name].memory());
  const [ownLength, peerLength] = PEERS.map(
    (name) => JSON.stringify(groups[name].last.payload.data).length,
  );
  if (Math.abs(ownLength - peerLength) > 0.2 * peerLength)
    throw new Error(
      `The messages are not alike: ${JSON.stringify(PEERS.map((name) => groups[name].last))}`,
    );
  await withEach((name) => groups[name].close());
  return {
    publishTimes,
    held: {
      hypha: (full.hypha - alone.hypha) / SOCKETS,
      stock: (full.stock - alone.stock) / SOCKETS,
    },
  };
}

const ratio = ({ hypha, stock }: Each<readonly number[]>): number =>
  median(hypha.map((ours, index) => ours / stock[index]));
const microseconds = ({ hypha, stock }: Each<readonly number[]>): string =>
  `${Math.round(median(hypha) * 1_000)} µs and ${Math.round(median(stock) * 1_000)} µs of processor time`;

/** One event to a thousand sockets, compared with `graphql-ws` and graphql-js, which check neither sessions nor permissions. Processor time of the servers only. */
export async function run(): Promise<BenchResult[]> {
  const peers: Each<Peer> = {
    hypha: await startPeer(join(__dirname, 'fanout/hypha.js')),
    stock: await startPeer(join(__dirname, 'fanout/stock.js')),
  };
  try {
    const connected = await inTurn(
      { hypha: () => connecting(peers.hypha), stock: () => connecting(peers.stock) },
      { warmUp: CONNECTED_BEFORE, rounds: ROUNDS },
    );
    const ofRun = await topicOf(peers, 'run');
    const ofDashboard = await topicOf(peers, 'dashboard');
    return [
      {
        name: 'a message of a run to 1,000 sockets, compared with graphql-ws',
        value: ratio(ofRun.publishTimes),
        unit: 'x',
        target: { below: 0.5 },
        judged: true,
        detail: microseconds(ofRun.publishTimes),
      },
      {
        name: 'a message of the dashboard to 1,000 sockets, compared with graphql-ws',
        value: ratio(ofDashboard.publishTimes),
        unit: 'x',
        target: { below: 0.5 },
        judged: true,
        detail: microseconds(ofDashboard.publishTimes),
      },
      {
        name: 'connecting a socket, compared with graphql-ws',
        value: ratio(connected),
        unit: 'x',
        target: { below: 1 },
        detail: microseconds(connected),
      },
      {
        name: 'memory of a socket that follows a run',
        value: ofRun.held.hypha / KILOBYTE,
        unit: 'KB',
        target: { below: 40 },
        detail: `${Math.round(ofRun.held.stock / KILOBYTE)} KB with graphql-ws`,
      },
      {
        name: 'memory of a socket that follows the dashboard',
        value: ofDashboard.held.hypha / KILOBYTE,
        unit: 'KB',
        target: { below: 40 },
        detail: `${Math.round(ofDashboard.held.stock / KILOBYTE)} KB with graphql-ws`,
      },
    ];
  } finally {
    for (const name of PEERS) await peers[name].close();
  }
}
