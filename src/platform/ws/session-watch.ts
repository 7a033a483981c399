import { setTimeout } from 'node:timers/promises';
import type { Authenticate } from '../context';
import type { EventBus } from '../events/bus';
import { SESSION_ENDED } from '../events/session-ended';
import type { SessionEnded } from '../events/session-ended';
import type { Logger } from '../log/logger';
import { CLOSE } from './socket';
import type { Socket } from './socket';

/** Maximum time, before the sockets close, for the subscription that tells the user why, ms. */
const LAST_WORDS_MS = 2_000;
/**
 * Delay before closing when a check finds a session ended, ms: this process may have ended it and
 * be about to report the reason.
 */
const GRACE_MS = 250;
/**
 * Interval of the checks of open sockets' sessions, ms: another process may have ended them, or
 * they may be idle.
 */
const LOOK_MS = 3_000;

interface SessionWatchParts {
  readonly bus: EventBus;
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly sockets: () => Iterable<Socket>;
}

/**
 * Closes the sockets of sessions that end: at once if this process ends them, otherwise at the next
 * check. The check also ends subscriptions that the user's group no longer allows. Neither a check
 * nor a delivered event counts as use, so a socket that only listens lets its session go idle.
 */
export function watchSessions({ bus, authenticate, log, sockets }: SessionWatchParts): {
  stop(): void;
} {
  const leaving = new WeakSet<Socket>();
  const closeAfterLastWords = async (socket: Socket, reason: string): Promise<void> => {
    if (leaving.has(socket)) return;
    leaving.add(socket);
    const enough = new AbortController();
    await Promise.race([
      socket.speaker?.lastWords(),
      setTimeout(LAST_WORDS_MS, undefined, { ref: false, signal: enough.signal }),
    ]);
    enough.abort();
    socket.close(CLOSE.forbidden, reason);
  };
  const closeSession = (sessionId: string, reason: string): void => {
    for (const socket of sockets())
      if (socket.actor?.sessionId === sessionId) void closeAfterLastWords(socket, reason);
  };

  const unsubscribe = bus.subscribe<SessionEnded>(SESSION_ENDED, ({ sessionId, reason }) =>
    closeSession(sessionId, `The session was ended: ${reason}`),
  );

  const look = async (): Promise<void> => {
    for (const [sessionId, those] of bySession(sockets())) {
      const [{ token, request }] = those;
      const authentication = await authenticate(token, request, 'event');
      if (authentication.state === 'signed-in')
        for (const socket of those) socket.identify(authentication);
      else
        void setTimeout(GRACE_MS, undefined, { ref: false }).then(() =>
          closeSession(
            sessionId,
            authentication.state === 'expired'
              ? 'The session has expired.'
              : 'The session was ended.',
          ),
        );
    }
  };
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the sessions of the open sockets could not be looked at'),
      )
      .finally(() => {
        looking = false;
      });
  }, LOOK_MS).unref();

  return {
    stop() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}

function bySession(sockets: Iterable<Socket>): Map<string, [Socket, ...Socket[]]> {
  const groups = new Map<string, [Socket, ...Socket[]]>();
  for (const socket of sockets) {
    const sessionId = socket.actor?.sessionId;
    if (sessionId === undefined) continue;
    const group = groups.get(sessionId);
    if (group) group.push(socket);
    else groups.set(sessionId, [socket]);
  }
  return groups;
}
