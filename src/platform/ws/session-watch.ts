import { setTimeout } from 'node:timers/promises';
import type { Authenticate } from '../context';
import type { EventBus } from '../events/bus';
import { SESSION_ENDED } from '../events/session-ended';
import type { SessionEnded } from '../events/session-ended';
import type { Logger } from '../log/logger';
import { CLOSE } from './socket';
import type { Socket } from './socket';

/** Maximum time, before the sockets close, for the subscription that tells the user why, ms. */
const MAX_REPORT_MS = 2_000;
/**
 * Delay before closing when a check finds a session ended, ms: this process may have ended it and
 * be about to report the reason.
 */
const GRACE_MS = 250;
/**
 * Interval of the checks of open sockets' sessions, ms: another process may have ended them without
 * a word, or they may be idle.
 */
const CHECK_MS = 1_000;

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
export class SessionWatch {
  private readonly closing = new WeakSet<Socket>();
  private readonly unsubscribe: () => void;
  private readonly timer: NodeJS.Timeout;
  private isChecking = false;

  constructor(private readonly parts: SessionWatchParts) {
    this.unsubscribe = parts.bus.subscribe<SessionEnded>(SESSION_ENDED, ({ sessionId, reason }) =>
      this.closeSession(sessionId, `The session was ended: ${reason}`),
    );
    this.timer = setInterval(() => this.onTimer(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.unsubscribe();
  }

  private onTimer(): void {
    if (this.isChecking) return;
    this.isChecking = true;
    this.check()
      .catch((error: unknown) =>
        this.parts.log.warn({ err: error }, 'could not check the sessions of the open sockets'),
      )
      .finally(() => {
        this.isChecking = false;
      });
  }

  private async check(): Promise<void> {
    for (const [sessionId, sockets] of bySession(this.parts.sockets())) {
      const [{ token, request }] = sockets;
      const authentication = await this.parts.authenticate(token, request, 'event');
      if (authentication.state === 'signed-in')
        for (const socket of sockets) socket.emitSessionRead(authentication);
      else
        void setTimeout(GRACE_MS, undefined, { ref: false }).then(() =>
          this.closeSession(
            sessionId,
            authentication.state === 'expired'
              ? `The ${authentication.credential} has expired.`
              : 'The session was ended.',
          ),
        );
    }
  }

  private closeSession(sessionId: string, reason: string): void {
    for (const socket of this.parts.sockets())
      if (socket.actor?.sessionId === sessionId) void this.closeAfterReport(socket, reason);
  }

  /** Closes a socket when the subscription that reports the end of the session has sent it. */
  private async closeAfterReport(socket: Socket, reason: string): Promise<void> {
    if (this.closing.has(socket)) return;
    this.closing.add(socket);
    const reported = new AbortController();
    await Promise.race([
      socket.handler?.untilSessionEndSent(),
      setTimeout(MAX_REPORT_MS, undefined, { ref: false, signal: reported.signal }),
    ]);
    reported.abort();
    socket.close(CLOSE.forbidden, reason);
  }
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
