import { CloseCode } from 'graphql-ws';
import type { Limits } from '../../config/config';
import { CLOSE } from './socket';
import type { Socket } from './socket';

type ConnectionLimits = Pick<Limits, 'anonymousSockets' | 'anonymousSocketMs' | 'userSockets'>;

/**
 * Multiple of `anonymousSockets` that one network may have open until their tokens are read: after
 * a restart, all clients behind one proxy reconnect at once.
 */
const RECONNECT_FACTOR = 16;

interface AnonymousSocket {
  /** Null until it is read from the connection. */
  network: string | null;
  /**
   * The network was over its limit when the socket opened: it is closed unless it has a session.
   */
  readonly isOverLimit: boolean;
  /** Monotonic clock, ms. */
  readonly expiresAt: number;
}

/** Limits the open sockets: unauthenticated ones by network, signed-in ones by user. */
export class ConnectionLimiter {
  private readonly anonymous = new Map<Socket, AnonymousSocket>();
  private readonly byNetwork = new Map<string, number>();
  /** Unauthenticated sockets whose `network` is still null. */
  private withoutNetwork = 0;
  private readonly byUser = new Map<number, number>();

  constructor(private readonly limits: ConnectionLimits) {}

  /**
   * Counts a new socket as unauthenticated. Closes it and returns false if its network has too
   * many.
   */
  admit(socket: Socket): boolean {
    const { anonymousSockets: most, anonymousSocketMs } = this.limits;
    const expiresAt = performance.now() + anonymousSocketMs;
    // With so few sockets no network can be over the limit: reading the address of each connection
    // from the kernel would take longer than all the rest.
    if (this.anonymous.size < most) {
      this.anonymous.set(socket, { network: null, isOverLimit: false, expiresAt });
      this.withoutNetwork += 1;
      return true;
    }
    this.readNetworks();
    const { network } = socket.origin;
    const before = this.byNetwork.get(network) ?? 0;
    if (before >= most * RECONNECT_FACTOR) {
      refuse(socket);
      return false;
    }
    this.anonymous.set(socket, { network, isOverLimit: before >= most, expiresAt });
    this.byNetwork.set(network, before + 1);
    return true;
  }

  /**
   * Checks the limits once it is known whether the client has a session. Closes the socket and
   * returns false if it is over one.
   */
  checkLimits(socket: Socket): boolean {
    const anonymous = this.anonymous.get(socket);
    if (!anonymous) return false;
    const isWithinLimit = socket.actor
      ? this.countForUser(socket, socket.actor.userId)
      : !anonymous.isOverLimit;
    if (!isWithinLimit) refuse(socket);
    return isWithinLimit;
  }

  /**
   * Closes unauthenticated sockets whose time is over. Called periodically with the monotonic
   * clock, ms.
   */
  closeExpired(now: number): void {
    for (const [socket, { expiresAt }] of this.anonymous) {
      if (now < expiresAt) return;
      socket.close(CloseCode.Unauthorized, 'A socket without a session does not stay open.');
    }
  }

  /** Removes a socket from the counts. */
  remove(socket: Socket): void {
    this.removeAnonymous(socket);
    if (socket.countedUserId !== undefined) decrement(this.byUser, socket.countedUserId);
  }

  private countForUser(socket: Socket, userId: number): boolean {
    const before = this.byUser.get(userId) ?? 0;
    if (before >= this.limits.userSockets) return false;
    this.removeAnonymous(socket);
    this.byUser.set(userId, before + 1);
    socket.countedUserId = userId;
    return true;
  }

  private removeAnonymous(socket: Socket): void {
    const anonymous = this.anonymous.get(socket);
    if (!anonymous) return;
    this.anonymous.delete(socket);
    if (anonymous.network === null) this.withoutNetwork -= 1;
    else decrement(this.byNetwork, anonymous.network);
  }

  /** Reads the networks of the sockets that were opened while there were few. */
  private readNetworks(): void {
    if (this.withoutNetwork === 0) return;
    for (const [socket, anonymous] of this.anonymous) {
      if (anonymous.network !== null) continue;
      anonymous.network = socket.origin.network;
      this.byNetwork.set(anonymous.network, (this.byNetwork.get(anonymous.network) ?? 0) + 1);
    }
    this.withoutNetwork = 0;
  }
}

const refuse = (socket: Socket): void =>
  socket.close(CLOSE.tooMany, 'Too many sockets. Try again later.');

function decrement<K>(counts: Map<K, number>, key: K): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
