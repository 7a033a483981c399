import type { Tx } from '../store/transaction';

/** Called for each event of a topic, in order of publication. */
export type Listener<T> = (event: T) => void;

/**
 * Publish/subscribe between parts of the service. Events are published after the change is stored
 * and delivered at most once: a subscriber that needs every event reads missed ones from the store.
 * This file has the bus of one process; `createSharedBus` makes one that works across processes.
 */
export interface EventBus {
  publish<T>(topic: string, event: T): void;
  /** As `publish`, with the commit of a transaction: other processes do not miss it. */
  publishWith<T>(tx: Tx, topic: string, event: T): void;
  /** As `publish`, only to subscribers in this process. */
  publishLocally<T>(topic: string, event: T): void;
  /** Returns a function that ends the subscription. */
  subscribe<T>(topic: string, listener: Listener<T>): () => void;
  close(): void;
}

/** A bus for one process. An error of a listener is reported; other listeners are still called. */
export function createInProcessBus(onError: (error: unknown) => void): EventBus {
  const topics = new Map<string, Set<Listener<unknown>>>();
  const publish: EventBus['publish'] = (topic, event) => {
    for (const listener of [...(topics.get(topic) ?? [])]) {
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    publish,
    publishWith: (tx, topic, event) => tx.afterCommit(() => publish(topic, event)),
    publishLocally: publish,
    subscribe<T>(topic: string, listener: Listener<T>) {
      const listeners = topics.get(topic) ?? new Set();
      const entry = (event: unknown) => listener(event as T);
      listeners.add(entry);
      topics.set(topic, listeners);
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
    close: () => topics.clear(),
  };
}
