import type { Actor } from '../access/actor';
import { allows } from '../access/need';
import type { Authentication } from '../access/need';
import { DomainError } from '../errors/errors';
import type { ErrorKind } from '../errors/errors';
import { subscriptionTime } from '../event-loop';
import type { DestinationSubscriber, FoundDestination } from '../http/dialects/destination';

/** Errors of a destination that is unknown or forbidden: it has no messages (docs/adr/0028). */
const SILENT: ReadonlySet<ErrorKind> = new Set([
  'forbidden',
  'unauthenticated',
  'expired',
  'not-found',
  'malformed',
]);

/** What a subscription needs from its socket. */
interface SubscriptionPort {
  /** Reads the session again, before each message; does not count as use of the session. */
  readonly readSession: () => Authentication | Promise<Authentication>;
  /** Resolves when the message is sent. */
  readonly send: (headers: Readonly<Record<string, string>>, body: string) => Promise<void>;
  readonly about: Pick<DestinationSubscriber, 'scheduleId' | 'baseUrl'>;
  /** Called if the source fails: closes the socket. */
  readonly fail: (error: unknown) => void;
}

/**
 * One SUBSCRIBE of a socket. It sends one message at a time, at the client's pace, as long as the
 * user may receive them.
 */
export class Subscription {
  /** Ends the messages that are being sent; null while the user may not receive any. */
  private sending: AbortController | null = null;
  private isEnded = false;
  private sent = 0;

  constructor(
    private readonly id: string,
    private readonly destinationName: string,
    private readonly target: FoundDestination,
    private readonly port: SubscriptionPort,
  ) {}

  end(): void {
    this.isEnded = true;
    this.stop();
  }

  /** Starts or stops the messages, as the session allows. */
  recheckPermission(authentication: Authentication): void {
    const actor = this.actorIn(authentication);
    if (!actor) this.stop();
    else if (!this.sending && !this.isEnded) {
      this.sending = new AbortController();
      void this.run(actor, this.sending.signal);
    }
  }

  private actorIn(authentication: Authentication): Actor | null {
    if (authentication.state !== 'signed-in') return null;
    const { actor } = authentication;
    return allows(this.target.destination.needs, actor) ? actor : null;
  }

  private stop(): void {
    this.sending?.abort();
    this.sending = null;
  }

  /** Sends messages until the signal aborts. Never rejects. */
  private async run(actor: Actor, signal: AbortSignal): Promise<void> {
    const { destination, name } = this.target;
    const subscriber = { ...this.port.about, actor, name, signal };
    try {
      for await (const message of destination.messages?.(subscriber) ?? []) {
        await subscriptionTime.pause();
        if (signal.aborted) return;
        const authentication = await this.port.readSession();
        if (signal.aborted) return;
        if (!this.actorIn(authentication)) {
          this.stop();
          return;
        }
        await this.sendMessage(message);
      }
    } catch (error) {
      if (signal.aborted || (error instanceof DomainError && SILENT.has(error.kind))) return;
      this.port.fail(error);
    }
  }

  /** Sends the last message, if its destination has one. */
  async sendFarewell(): Promise<void> {
    const { farewell } = this.target.destination;
    if (farewell !== undefined) await this.sendMessage(farewell);
  }

  private async sendMessage(message: unknown): Promise<void> {
    if (this.isEnded) return;
    this.sent += 1;
    const headers = {
      subscription: this.id,
      'message-id': `${this.id}-${this.sent}`,
      destination: this.destinationName,
      'content-type': 'application/json;charset=utf-8',
    };
    await this.port.send(headers, JSON.stringify(message));
  }
}
