import type { Actor } from '../access/actor';
import { guard } from '../access/need';
import type { Authentication } from '../access/need';
import { SharedTimeSlice } from '../event-loop';
import type { Destination } from './destination';

/** Shared by all STOMP subscriptions, like `SUBSCRIPTION_TIME_SLICE` for GraphQL. */
const slice = new SharedTimeSlice();

/** What a subscription needs from its socket. */
interface SubscriptionPort {
  /** Reads the session again, before each message; does not count as use of the session. */
  readonly readSession: () => Authentication | Promise<Authentication>;
  /** Resolves when the message is sent. */
  readonly send: (headers: Readonly<Record<string, string>>, body: string) => Promise<void>;
  /** Called if the permission is lost or the source fails: closes the socket. */
  readonly fail: (error: unknown) => void;
}

/** One SUBSCRIBE of a socket. It sends one message at a time, at the client's pace. */
export class Subscription {
  private readonly ended = new AbortController();
  private sent = 0;

  constructor(
    private readonly id: string,
    private readonly destinationName: string,
    private readonly destination: Destination,
    private readonly port: SubscriptionPort,
  ) {}

  end(): void {
    this.ended.abort();
  }

  /** Fails if the user has lost the permission to listen. */
  recheckPermission(authentication: Authentication): void {
    try {
      guard(this.destination.needs, authentication);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sends messages until the subscription ends. Never rejects. */
  async run(actor: Actor, name: string): Promise<void> {
    const { signal } = this.ended;
    try {
      for await (const message of this.destination.messages?.({ actor, name, signal }) ?? []) {
        for (let wait = slice.over(); wait !== null; wait = slice.over()) await wait;
        if (signal.aborted) return;
        const authentication = await this.port.readSession();
        // The session has ended: `SessionWatch` closes the socket and sends the reason.
        if (authentication.state !== 'signed-in') return;
        guard(this.destination.needs, authentication);
        await this.sendMessage(message);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sends the last message, if its destination has one. */
  async sendFarewell(): Promise<void> {
    if (this.destination.farewell !== undefined) await this.sendMessage(this.destination.farewell);
  }

  private async sendMessage(message: unknown): Promise<void> {
    if (this.ended.signal.aborted) return;
    this.sent += 1;
    const headers = {
      subscription: this.id,
      'message-id': `${this.id}-${this.sent}`,
      destination: this.destinationName,
      'content-type': 'application/json;charset=utf-8',
    };
    await this.port.send(headers, JSON.stringify(message));
  }

  private fail(error: unknown): void {
    if (!this.ended.signal.aborted) this.port.fail(error);
  }
}
