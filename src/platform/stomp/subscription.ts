import type { Actor } from '../access/actor';
import { guard } from '../access/need';
import type { Authentication } from '../access/need';
import { SharedTurn } from '../shared-turn';
import type { Destination } from './destination';

/** Of all subscriptions, as on the other socket. */
const turn = new SharedTurn();

/** What a subscription asks of the socket it is of. */
export interface SubscriptionPort {
  /** Who listens, by now. Asked before each message; counts as no use of the session. */
  readonly identify: () => Authentication | Promise<Authentication>;
  /** Resolves when the message has left. */
  readonly send: (headers: Readonly<Record<string, string>>, body: string) => Promise<void>;
  /** The right to it is gone, or its source failed: the socket goes with it. */
  readonly fail: (error: unknown) => void;
}

/** One SUBSCRIBE of a socket: it pulls one message after the other, at the pace of its client. */
export class Subscription {
  private readonly ended = new AbortController();
  private sent = 0;

  constructor(
    private readonly id: string,
    private readonly asked: string,
    private readonly destination: Destination,
    private readonly port: SubscriptionPort,
  ) {}

  /** Nobody listens any more. */
  end(): void {
    this.ended.abort();
  }

  /** Looks whether he who listens may still do so. */
  judge(authentication: Authentication): void {
    try {
      guard(this.destination.needs, authentication);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sends until it ends. Never rejects. */
  async run(actor: Actor, name: string): Promise<void> {
    const { signal } = this.ended;
    try {
      for await (const message of this.destination.messages?.({ actor, name, signal }) ?? []) {
        for (let wait = turn.over(); wait !== null; wait = turn.over()) await wait;
        if (signal.aborted) return;
        const authentication = await this.port.identify();
        // A session that has ended takes the whole socket with it, which says why.
        if (authentication.state !== 'signed-in') return;
        guard(this.destination.needs, authentication);
        await this.tell(message);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** The last message, where its destination has one. */
  async farewell(): Promise<void> {
    if (this.destination.farewell !== undefined) await this.tell(this.destination.farewell);
  }

  private async tell(message: unknown): Promise<void> {
    if (this.ended.signal.aborted) return;
    this.sent += 1;
    const headers = {
      subscription: this.id,
      'message-id': `${this.id}-${this.sent}`,
      destination: this.asked,
      'content-type': 'application/json;charset=utf-8',
    };
    await this.port.send(headers, JSON.stringify(message));
  }

  private fail(error: unknown): void {
    if (!this.ended.signal.aborted) this.port.fail(error);
  }
}
