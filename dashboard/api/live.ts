import { signal } from '@preact/signals';
import { createClient, TerminatedCloseEvent } from 'graphql-ws/client';
import type { Client } from 'graphql-ws/client';
import type { TypedDocumentString } from '../generated/operations';
import { Failure, failureOf } from './failure';
import type { GraphqlError } from './failure';
import { authorization, endSession, signedIn, socketAddressOf } from './session';

/** How the socket is: nothing follows anything, it is being opened, it is open, it was lost and is tried again. */
export type Connection = 'idle' | 'opening' | 'open' | 'lost';
export const connection = signal<Connection>('idle');

/** The session does not hold (any more). */
const FORBIDDEN = 4403;
/** A silent service is asked whether it is there; one that does not say so in time is gone. */
const ASK_MS = 10_000;
const ANSWER_MS = 5_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

let client: Client | null = null;

function connect(): Client {
  const token = authorization();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const made = createClient({
    url: socketAddressOf('graphql'),
    // Who follows begins again himself, after what he has seen.
    retryAttempts: 0,
    lazyCloseTimeout: 2_000,
    keepAlive: ASK_MS,
    connectionParams: () => (token === null ? {} : { Authorization: token }),
    on: {
      connecting: () => {
        if (connection.value !== 'lost') connection.value = 'opening';
      },
      connected: () => {
        connection.value = 'open';
      },
      // Who is gone does not answer to a goodbye either; it is not waited for.
      ping: (received) => {
        if (!received) silence = setTimeout(() => made.terminate(), ANSWER_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(silence);
      },
      closed: (event) => {
        clearTimeout(silence);
        const { code, wasClean } = event as CloseEvent;
        if (code === FORBIDDEN) endSession(token);
        connection.value = wasClean && code === 1000 ? 'idle' : 'lost';
      },
    },
  });
  return made;
}

// Who signs out hears no more; who signs in is heard as himself.
signedIn.subscribe(() => {
  // One that is just being refused cannot be closed any more.
  Promise.resolve(client?.dispose()).catch(() => undefined);
  client = null;
});

export interface Follower<Result, Variables> {
  /** Asked each time it begins: after what was seen, so that nothing is missed. */
  variables(): Variables;
  next(data: Result): void;
  /** Asked when the service has ended it: has all been told? Else it is begun again; so are those that have no end, always. */
  isOver?(): boolean;
  /** It is refused, and not tried again. */
  failed(failure: Failure): void;
}

/** Waits, but no longer than until the browser says that it has a network again, or another has opened the socket. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      unwatch();
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    // One that is open already is not what is waited for.
    let wasOpen = true;
    const unwatch = connection.subscribe((now) => {
      if (now === 'open' && !wasOpen) done();
      wasOpen = now === 'open';
    });
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/** What another try may mend: the network, a service that starts again, too much at once. */
const isLost = (reason: unknown): boolean =>
  reason instanceof Event ||
  reason instanceof TerminatedCloseEvent ||
  (reason instanceof Failure && (reason.kind === 'unreachable' || reason.code === 'RATE_LIMITED'));

/** One subscription, until it ends, fails, or the socket does. Rejects with a Failure, or with what closed the socket. */
function subscribeOnce<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  follower: Follower<Result, Variables>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client ??= connect();
    const stop = client.subscribe<Result>(
      { query: document.toString(), variables: follower.variables() as Record<string, unknown> },
      {
        next: ({ data, errors }) => {
          if (errors === undefined) {
            if (data != null && !signal.aborted) follower.next(data);
            return;
          }
          // The service goes on after an error that is not its last word; who follows ends here, or begins again.
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

/** Follows a subscription; one that the network loses is begun again. Gives back what ends it. */
export function follow<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  follower: Follower<Result, Variables>,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const go = async (): Promise<void> => {
    let wait = FIRST_WAIT_MS;
    while (!signal.aborted) {
      try {
        await subscribeOnce(
          document,
          {
            ...follower,
            next: (data) => {
              wait = FIRST_WAIT_MS;
              follower.next(data);
            },
          },
          signal,
        );
        if (signal.aborted || follower.isOver?.()) return;
      } catch (reason) {
        if (signal.aborted) return;
        if (!isLost(reason))
          return follower.failed(
            reason instanceof Failure ? reason : new Failure('fault', String(reason)),
          );
      }
      if (authorization() === null) return;
      await pause(wait * (0.5 + Math.random()), signal);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  };
  void go();
  return () => ending.abort();
}
