import { CloseCode } from 'graphql-ws';
import type { Limits } from '../../config/config';
import { CLOSE } from './socket';
import type { Socket } from './socket';

export type CrowdLimits = Pick<Limits, 'anonymousSockets' | 'anonymousSocketMs' | 'userSockets'>;

/**
 * After a restart everybody behind one proxy comes back at once, each a stranger until his token is read: so many times the strangers who
 * may stay may be about to say who they are.
 */
const ARRIVING = 16;

interface Stranger {
  /** Null: nobody has asked yet where he comes from. */
  network: string | null;
  /** One too many when he came: he stays only if he has a session. */
  readonly tooMany: boolean;
  /** By the monotonic clock, ms. */
  readonly staysUntil: number;
}

/** Who is connected: strangers by the network they come from, users by themselves. There are limits for both. */
export class Crowd {
  private readonly strangers = new Map<Socket, Stranger>();
  private readonly byNetwork = new Map<string, number>();
  /** Strangers whose networks nobody has asked for. */
  private unasked = 0;
  private readonly byUser = new Map<number, number>();

  constructor(private readonly limits: CrowdLimits) {}

  /** Takes in a socket that has just been opened, as a stranger; false when there are so many that he is turned away unheard. */
  welcome(socket: Socket): boolean {
    const { anonymousSockets: most, anonymousSocketMs } = this.limits;
    const staysUntil = performance.now() + anonymousSocketMs;
    // As long as there are so few, no network has too many: to ask the kernel for the other end of each connection would take longer than all the rest.
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

  /** May he stay, now that he has said who he is, or that he has not? Closes his socket when he may not. */
  mayStay(socket: Socket): boolean {
    const stranger = this.strangers.get(socket);
    if (!stranger) return false;
    const fits = socket.actor ? this.takeUser(socket, socket.actor.userId) : !stranger.tooMany;
    if (!fits) turnAway(socket);
    return fits;
  }

  /** Hangs up on strangers whose time is over, the oldest first. To be called with the monotonic clock, again and again. */
  look(now: number): void {
    for (const [socket, { staysUntil }] of this.strangers) {
      if (now < staysUntil) return;
      socket.close(CloseCode.Unauthorized, 'A socket without a session does not stay open.');
    }
  }

  /** He is gone. */
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

  /** Asks for the networks of those who came while there were few: no more than that. */
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
