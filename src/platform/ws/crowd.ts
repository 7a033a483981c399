import { CloseCode } from 'graphql-ws';
import type { Limits } from '../../config/config';
import { CLOSE } from './socket';
import type { Socket } from './socket';

type CrowdLimits = Pick<Limits, 'anonymousSockets' | 'anonymousSocketMs' | 'userSockets'>;

/**
 * Multiple of `anonymousSockets` that one network may have open until their tokens are read: after
 * a restart, all clients behind one proxy reconnect at once.
 */
const ARRIVING = 16;

interface Stranger {
  /** Null until it is read from the connection. */
  network: string | null;
  /**
   * The network was over its limit when the socket opened: it is closed unless it has a session.
   */
  readonly tooMany: boolean;
  /** Monotonic clock, ms. */
  readonly staysUntil: number;
}

/** Limits the open sockets: unauthenticated ones by network, signed-in ones by user. */
export class Crowd {
  private readonly strangers = new Map<Socket, Stranger>();
  private readonly byNetwork = new Map<string, number>();
  /** Unauthenticated sockets whose `network` is still null. */
  private unasked = 0;
  private readonly byUser = new Map<number, number>();

  constructor(private readonly limits: CrowdLimits) {}

  /**
   * Counts a new socket as unauthenticated. Closes it and returns false if its network has too
   * many.
   */
  welcome(socket: Socket): boolean {
    const { anonymousSockets: most, anonymousSocketMs } = this.limits;
    const staysUntil = performance.now() + anonymousSocketMs;
    // With so few sockets no network can be over the limit: reading the address of each connection
    // from the kernel would take longer than all the rest.
    if (this.strangers.size < most) {
      this.strangers.set(socket, { network: null, tooMany: false, staysUntil });
      this.unasked += 1;
      return true;
    }
    this.askAll();
    const { network } = socket.origin;
    const before = this.byNetwork.get(network) ?? 0;
    if (before >= most * ARRIVING) {
      turnAway(socket);
      return false;
    }
    this.strangers.set(socket, { network, tooMany: before >= most, staysUntil });
    this.byNetwork.set(network, before + 1);
    return true;
  }

  /**
   * Checks the limits once it is known whether the client has a session. Closes the socket and
   * returns false if it is over one.
   */
  mayStay(socket: Socket): boolean {
    const stranger = this.strangers.get(socket);
    if (!stranger) return false;
    const fits = socket.actor ? this.takeUser(socket, socket.actor.userId) : !stranger.tooMany;
    if (!fits) turnAway(socket);
    return fits;
  }

  /**
   * Closes unauthenticated sockets whose time is over. Called periodically with the monotonic
   * clock, ms.
   */
  look(now: number): void {
    for (const [socket, { staysUntil }] of this.strangers) {
      if (now < staysUntil) return;
      socket.close(CloseCode.Unauthorized, 'A socket without a session does not stay open.');
    }
  }

  /** Removes a socket from the counts. */
  left(socket: Socket): void {
    this.forget(socket);
    if (socket.countsFor !== undefined) lessen(this.byUser, socket.countsFor);
  }

  private takeUser(socket: Socket, userId: number): boolean {
    const before = this.byUser.get(userId) ?? 0;
    if (before >= this.limits.userSockets) return false;
    this.forget(socket);
    this.byUser.set(userId, before + 1);
    socket.countsFor = userId;
    return true;
  }

  private forget(socket: Socket): void {
    const stranger = this.strangers.get(socket);
    if (!stranger) return;
    this.strangers.delete(socket);
    if (stranger.network === null) this.unasked -= 1;
    else lessen(this.byNetwork, stranger.network);
  }

  /** Reads the networks of the sockets that were opened while there were few. */
  private askAll(): void {
    if (this.unasked === 0) return;
    for (const [socket, stranger] of this.strangers) {
      if (stranger.network !== null) continue;
      stranger.network = socket.origin.network;
      this.byNetwork.set(stranger.network, (this.byNetwork.get(stranger.network) ?? 0) + 1);
    }
    this.unasked = 0;
  }
}

const turnAway = (socket: Socket): void =>
  socket.close(CLOSE.tooMany, 'Too many sockets. Try again later.');

function lessen<K>(counts: Map<K, number>, key: K): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
