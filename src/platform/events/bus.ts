/** Called for each event of a topic, in the order of publication. */
export type Listener<T> = (event: T) => void;

/**
 * Publish/subscribe between parts of the service. Delivery is at most once and after the fact was stored: who needs every event
 * reads what he missed from the store. The in-process bus stands here; another one crosses processes.
 */
export interface EventBus {
  publish<T>(topic: string, event: T): void;
  /** Returns the function that ends the subscription. */
  subscribe<T>(topic: string, listener: Listener<T>): () => void;
  close(): void;
}

/** A bus for one process. A listener that throws is reported and does not stop the others. */
export function createInProcessBus(onError: (error: unknown) => void): EventBus {
  const topics = new Map<string, Set<Listener<unknown>>>();
  return {
    publish(topic, event) {
      for (const listener of [...(topics.get(topic) ?? [])]) {
        try {
          listener(event);
        } catch (error) {
          onError(error);
        }
      }
    },
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
