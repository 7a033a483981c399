import { setTimeout } from 'node:timers/promises';
import { RUN_EVENTS } from './events';
import { SocketGroup } from './socket-group';
import type { Peer, Topic } from './peer';

export const SOCKETS = 1_000;
/** Events of one measurement, and how often it is made. A dashboard tells two a second at most. */
const EVENTS: Record<Topic, number> = { run: 40, dashboard: 12 };

/** Time between two snapshots of the dashboard, ms. Each message therefore includes the background work of a server during this time. */
const PACE_MS = 520;

/** Processor time of the server for each message, ms: one event to everybody, and the next when all have it. */
export function measurePublish(
  peer: Peer,
  group: SocketGroup,
  topic: Topic,
): () => Promise<number> {
  let nth = 0;
  return async () => {
    const before = await peer.processor();
    for (let count = 0; count < EVENTS[topic]; count += 1) {
      nth += 1;
      if (topic === 'dashboard') await setTimeout(PACE_MS);
      await peer.publish(topic, nth);
      await group.messages(group.sockets.length);
    }
    return ((await peer.processor()) - before) / (EVENTS[topic] * group.sockets.length);
  };
}

/** How long a server is watched that may be idle, and the most processor time that it takes then, ms. */
const IDLE = { ms: 100, processorMs: 10 } as const;

/** Returns the processor time of a server, ms, when it has nothing to do any more. */
async function processorWhenIdle(peer: Peer): Promise<number> {
  for (let before = await peer.processor(); ;) {
    await setTimeout(IDLE.ms);
    const now = await peer.processor();
    if (now - before <= IDLE.processorMs) return before;
    before = now;
  }
}

/**
 * Processor time of the server for each socket, ms, from the TCP connection: until the client has `connection_ack` and, if `follows`, the
 * server has begun its subscription to the events of a run, of which there are no new ones. Closing is not counted.
 */
export async function connecting(peer: Peer, follows = false): Promise<number> {
  const before = await processorWhenIdle(peer);
  const group = await SocketGroup.connect(peer, SOCKETS);
  if (follows) {
    group.subscribe(RUN_EVENTS, { runId: peer.runId, after: peer.sequence });
    await group.flush();
  }
  const took = ((await processorWhenIdle(peer)) - before) / SOCKETS;
  await group.close();
  return took;
}
