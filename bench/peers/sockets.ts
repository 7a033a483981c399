import { join } from 'node:path';
import { SocketGroup } from '../fanout/socket-group';
import { RUN_EVENTS } from '../fanout/events';
import { connecting, SOCKETS, measurePublish } from '../fanout/measures';
import { startPeer } from '../fanout/peer';
import type { Peer } from '../fanout/peer';
import { inTurn } from '../measure/in-turn';
import type { Row } from './table';

const PEERS = ['hypha', 'stock', 'bare'] as const;
type Name = (typeof PEERS)[number];
const TITLES = { stock: 'stock graphql-ws', bare: 'bare ws' } as const;
const CONNECT_WARM_UP = 2;
const TELL_WARM_UP = 1;

type Measures = Record<Name, number[]>;

/** Connecting sockets, and one event of a run to all of them. `cases`: `connect`, `events`. */
export async function measureSockets(
  cases: readonly string[],
  { restarts, rounds }: { readonly restarts: number; readonly rounds: number },
): Promise<Row[]> {
  const all: Record<string, Measures[]> = { connect: [], follow: [], events: [] };
  for (let restart = 0; restart < restarts; restart += 1) {
    const peers = new Map<Name, Peer>();
    for (const name of PEERS)
      peers.set(name, await startPeer(join(__dirname, `../fanout/${name}.js`)));
    try {
      if (cases.includes('connect')) {
        all.connect.push(await connectAll(peers, rounds, false));
        all.follow.push(await connectAll(peers, rounds, true));
      }
      if (cases.includes('events')) all.events.push(await publishAll(peers, rounds));
    } finally {
      for (const peer of peers.values()) await peer.close();
    }
  }
  return [
    ...rowsOf('connecting a socket', all.connect),
    ...rowsOf('the same, with a subscription', all.follow),
    ...rowsOf(`a run event to ${SOCKETS.toLocaleString('en')} sockets`, all.events),
  ];
}

const ofEach = <T>(
  peers: ReadonlyMap<Name, Peer>,
  make: (peer: Peer, name: Name) => T,
): Record<Name, T> =>
  Object.fromEntries([...peers].map(([name, peer]) => [name, make(peer, name)])) as Record<Name, T>;

const connectAll = (
  peers: ReadonlyMap<Name, Peer>,
  rounds: number,
  follows: boolean,
): Promise<Measures> =>
  inTurn(
    ofEach(peers, (peer) => () => connecting(peer, follows)),
    { warmUp: CONNECT_WARM_UP, rounds: 2 * rounds },
  );

async function publishAll(peers: ReadonlyMap<Name, Peer>, rounds: number): Promise<Measures> {
  const groups = new Map<Name, SocketGroup>();
  for (const [name, peer] of peers) {
    const group = await SocketGroup.connect(peer, SOCKETS);
    group.subscribe(RUN_EVENTS, { runId: peer.runId, after: peer.sequence });
    await group.flush();
    groups.set(name, group);
  }
  const measures = await inTurn(
    ofEach(peers, (peer, name) => measurePublish(peer, groups.get(name) as SocketGroup, 'run')),
    { warmUp: TELL_WARM_UP, rounds: 2 * rounds },
  );
  requireAlike(groups);
  await Promise.all([...groups.values()].map((group) => group.close()));
  return measures;
}

/** @throws Error the messages of the servers are not the same, apart from ids and times */
function requireAlike(groups: ReadonlyMap<Name, SocketGroup>): void {
  const shown = [...groups.values()].map(({ last }) =>
    JSON.stringify(last.payload.data.runEvents, [
      '__typename',
      'stepId',
      'index',
      'loopIndex',
      'state',
      'statusCode',
      'durationMs',
      'error',
    ]),
  );
  if (shown.some((text) => text !== shown[0]))
    throw new Error(`The messages are not alike: ${shown.join('; ')}`);
}

/** Two measurements, of which the first begins with Hypha and the second ends with it, are a round. */
function rowsOf(title: string, starts: readonly Measures[]): Row[] {
  if (starts.length === 0) return [];
  const roundsOf = (name: Name): number[] =>
    starts.flatMap(({ [name]: values }) =>
      values.flatMap((value, nth) => (nth % 2 === 0 ? [] : [(values[nth - 1] + value) / 2])),
    );
  const ours = roundsOf('hypha').map((ms) => ms * 1_000);
  return (['stock', 'bare'] as const).map((name) => {
    const peerCosts = roundsOf(name).map((ms) => ms * 1_000);
    return {
      title,
      peer: TITLES[name],
      unit: 'µs CPU/socket',
      ours,
      theirs: peerCosts,
      ratios: peerCosts.map((cost, round) => cost / ours[round]),
    };
  });
}
