import type { EventBus } from './bus';

/** Sends events to the other processes, and receives theirs. */
export interface EventRelay {
  send(topic: string, event: unknown): void;
  onEvents: (events: readonly (readonly [topic: string, event: unknown])[]) => void;
}

/** Makes a bus of several processes from that of one. */
export function createSharedBus(local: EventBus, relay: EventRelay): EventBus {
  relay.onEvents = (events) => {
    for (const [topic, event] of events) local.publishLocally(topic, event);
  };
  return {
    ...local,
    publish(topic, event) {
      local.publish(topic, event);
      relay.send(topic, event);
    },
    publishWith(tx, topic, event) {
      tx.changed.addEvent(topic, event);
      local.publishWith(tx, topic, event);
    },
  };
}
