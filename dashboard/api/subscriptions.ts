import { signal } from '@preact/signals';
import { createClient, TerminatedCloseEvent } from 'graphql-ws/client';
import type { Client } from 'graphql-ws/client';
import type { TypedDocumentString } from '../generated/operations';
import { Failure, failureOf } from './failure';
import type { GraphqlError } from './failure';
import { authorization, endSession, signedIn, socketAddressOf } from './session';

/** State of the socket: no subscription, connecting, connected, or lost and reconnecting. */
export type Connection = 'idle' | 'opening' | 'open' | 'lost';
export const connection = signal<Connection>('idle');

/** Close code for a session that is not valid. */
const FORBIDDEN = 4403;
/**
 * Ping interval and the maximum time for the pong, ms. Afterwards the connection counts as lost.
 */
const PING_INTERVAL_MS = 10_000;
const PONG_TIMEOUT_MS = 5_000;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;

let client: Client | null = null;

function createSocketClient(): Client {
  const token = authorization();
  let pongTimer: ReturnType<typeof setTimeout> | undefined;
  const created = createClient({
    url: socketAddressOf('graphql'),
    // `subscribe` reconnects itself, after the events it has already received.
    retryAttempts: 0,
    lazyCloseTimeout: 2_000,
    keepAlive: PING_INTERVAL_MS,
    connectionParams: () => (token === null ? {} : { Authorization: token }),
    on: {
      connecting: () => {
        if (connection.value !== 'lost') connection.value = 'opening';
      },
      connected: () => {
        connection.value = 'open';
      },
      // Terminates instead of closing: a lost service would not answer the close frame.
      ping: (received) => {
        if (!received) pongTimer = setTimeout(() => created.terminate(), PONG_TIMEOUT_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(pongTimer);
      },
      closed: (event) => {
        clearTimeout(pongTimer);
        const { code, wasClean } = event as CloseEvent;
        if (code === FORBIDDEN) endSession(token);
        connection.value = wasClean && code === 1000 ? 'idle' : 'lost';
      },
    },
  });
  return created;
}

// A sign-in or sign-out closes the socket; the next one uses the new session.
signedIn.subscribe(() => {
  // A socket that is being rejected can no longer be closed.
  Promise.resolve(client?.dispose()).catch(() => undefined);
  client = null;
});

export interface Subscriber<Result, Variables> {
  /** Called at each start: continue after the received events, so that none is missed. */
  variables(): Variables;
  onData(data: Result): void;
  /**
   * Called when the service completes the subscription: false restarts it. Without this function it
   * always restarts.
   */
  isComplete?(): boolean;
  /** The subscription was rejected and is not retried. */
  onError(failure: Failure): void;
}

/** Waits until `ms` pass, the browser is online again, or another subscription opens the socket. */
function waitToReconnect(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      unsubscribe();
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    // The first value is the current state, not a change.
    let wasOpen = true;
    const unsubscribe = connection.subscribe((now) => {
      if (now === 'open' && !wasOpen) done();
      wasOpen = now === 'open';
    });
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/** Returns whether a retry may help: network errors, a restarting service, overload. */
const isRetryable = (reason: unknown): boolean =>
  reason instanceof Event ||
  reason instanceof TerminatedCloseEvent ||
  (reason instanceof Failure && (reason.kind === 'unreachable' || reason.code === 'RATE_LIMITED'));

/**
 * Runs one subscription until it ends, fails or loses the socket. Rejects with a Failure, or with
 * the reason the socket closed.
 */
function subscribeOnce<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  subscriber: Subscriber<Result, Variables>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client ??= createSocketClient();
    const stop = client.subscribe<Result>(
      { query: document.toString(), variables: subscriber.variables() as Record<string, unknown> },
      {
        next: ({ data, errors }) => {
          if (errors === undefined) {
            if (data != null && !signal.aborted) subscriber.onData(data);
            return;
          }
          // The service may continue after an error; here the subscription ends or is restarted.
          stop();
          reject(failureOf(errors));
        },
        error: (reason) => {
          reject(Array.isArray(reason) ? failureOf(reason as GraphqlError[]) : (reason as Error));
        },
        complete: resolve,
      },
    );
    signal.addEventListener(
      'abort',
      () => {
        stop();
        resolve();
      },
      { once: true },
    );
  });
}

/**
 * Starts a subscription and restarts it after connection losses. Returns a function that ends it.
 */
export function subscribe<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  subscriber: Subscriber<Result, Variables>,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async (): Promise<void> => {
    let delay = MIN_RETRY_MS;
    while (!signal.aborted) {
      try {
        await subscribeOnce(
          document,
          {
            ...subscriber,
            onData: (data) => {
              delay = MIN_RETRY_MS;
              subscriber.onData(data);
            },
          },
          signal,
        );
        if (signal.aborted || subscriber.isComplete?.()) return;
      } catch (reason) {
        if (signal.aborted) return;
        if (!isRetryable(reason))
          return subscriber.onError(
            reason instanceof Failure ? reason : new Failure('internal', String(reason)),
          );
      }
      if (authorization() === null) return;
      await waitToReconnect(delay * (0.5 + Math.random()), signal);
      delay = Math.min(delay * 2, MAX_RETRY_MS);
    }
  };
  void run();
  return () => controller.abort();
}
