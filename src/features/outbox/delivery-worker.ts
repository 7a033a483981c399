import { randomUUID } from 'node:crypto';
import type { Core } from '../../platform/core';
import { createOnDemand } from '../../platform/on-demand';
import { createRepeating } from '../../platform/repeating';
import { DELIVERY_TOPIC, hasPasswordLink } from './delivery.events';
import type { Channel } from './delivery.events';
import type { Outbox } from './outbox';
import type { DeliveryContent, DeliveryError, DeliveryRecord } from './delivery.model';

/** Why an attempt failed. */
export class DeliveryFailure extends Error {
  constructor(
    readonly error: DeliveryError,
    /** Another attempt would fail as well. */
    readonly isPermanent: boolean,
    /** Other messages of this channel would fail as well. */
    readonly isOfServer: boolean,
  ) {
    super(error.message);
    this.name = 'DeliveryFailure';
  }
}

/** Sends one message. @throws DeliveryFailure */
export type Send = (
  delivery: DeliveryRecord,
  content: DeliveryContent,
  signal: AbortSignal,
) => Promise<void>;

const POLL_MS = 1_000;
/** Longer than any attempt: until then no other process tries the same message. */
const LEASE_MS = 3 * 60_000;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 10 * 60_000;
/** Pause of a whole channel after its server could not be used. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** At a stop, attempts may end by themselves for this long. */
const STOP_MS = 2_000;

const doubled = (first: number, times: number, max: number): number =>
  Math.min(max, first * 2 ** Math.min(times, 30));

/**
 * Sends the messages of one channel, a few at once. Several processes may do so with one store: an
 * attempt takes the message for `LEASE_MS`, and only the one that took it stores the result.
 */
export class DeliveryWorker {
  private readonly passes = createOnDemand(
    () => this.sendDue(),
    (error) => {
      const { core, channel } = this.deps;
      core.log.error({ err: error, channel }, 'Queued messages could not be read.');
    },
  );
  private readonly polling = createRepeating(() => this.passes.run(), {
    firstMs: 0,
    thenMs: POLL_MS,
  });
  private readonly stopping = new AbortController();
  private readonly active = new Set<Promise<void>>();
  private isClosing = false;
  private unsubscribe = (): void => undefined;
  private pausedUntil = 0;
  private pauses = 0;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly outbox: Outbox;
      readonly channel: Channel;
      readonly atOnce: number;
      readonly send: Send;
    },
  ) {}

  start(): void {
    const { core, channel } = this.deps;
    this.unsubscribe = core.bus.subscribe<Channel>(DELIVERY_TOPIC, (queued) => {
      if (queued === channel) void this.passes.run();
    });
    this.polling.start();
  }

  /** Ends the attempts of an earlier process, if no other process can use the store. */
  async release(): Promise<void> {
    const { core, outbox, channel } = this.deps;
    if (core.store.isExclusive)
      await outbox.deliveries.updateMany(
        { channel, state: 'PENDING', claim: { $ne: null } },
        { $set: { claim: null, nextAttemptAt: core.clock.now() } },
      );
  }

  /** Lets attempts end for two seconds; those that do not are repeated after the next start. */
  async stop(): Promise<void> {
    this.isClosing = true;
    this.unsubscribe();
    const late = setTimeout(() => this.stopping.abort(), STOP_MS);
    await this.polling.stop();
    await this.passes.idle();
    await Promise.all(this.active);
    clearTimeout(late);
  }

  private async sendDue(): Promise<void> {
    for (let next = await this.claim(); next !== null; next = await this.claim()) {
      const attempt = this.attempt(next).finally(() => this.active.delete(attempt));
      this.active.add(attempt);
      if (this.active.size >= this.deps.atOnce) await Promise.race(this.active);
    }
  }

  /** Takes the next message that is due; null if there is none, or the channel pauses or closes. */
  private async claim(): Promise<DeliveryRecord | null> {
    const { core, outbox, channel } = this.deps;
    const now = core.clock.now();
    if (this.isClosing || now.getTime() < this.pausedUntil) return null;
    return outbox.deliveries.findOneAndUpdate(
      { channel, state: 'PENDING', nextAttemptAt: { $lte: now } },
      {
        $set: { nextAttemptAt: new Date(now.getTime() + LEASE_MS), claim: randomUUID() },
        $inc: { attempts: 1 },
      },
      { sort: { nextAttemptAt: 1, _id: 1 } },
    );
  }

  /** Never rejects: a message whose result cannot be stored is tried again after its lease. */
  private async attempt(delivery: DeliveryRecord): Promise<void> {
    const { core, outbox, send } = this.deps;
    try {
      const content = await outbox.contentOf(delivery._id);
      if (content === null) throw new Error('The content of a message is missing.');
      await send(delivery, content, this.stopping.signal);
      this.pauses = 0;
      await this.finish(delivery, 'SENT', null);
    } catch (error) {
      await this.failed(delivery, error).catch((fault: unknown) =>
        core.log.error({ err: fault, deliveryId: delivery._id }, 'An attempt was not recorded.'),
      );
    }
  }

  private async failed(delivery: DeliveryRecord, cause: unknown): Promise<void> {
    const { core, outbox } = this.deps;
    const failure = cause instanceof DeliveryFailure ? cause : faultOf(cause);
    if (!(cause instanceof DeliveryFailure))
      core.log.error({ err: cause, deliveryId: delivery._id }, 'A message was not sent.');
    const now = core.clock.now().getTime();
    if (failure.isOfServer && !this.stopping.signal.aborted) this.pause(now);
    const retryMs = doubled(FIRST_RETRY_MS, delivery.attempts - 1, MAX_RETRY_MS);
    if (failure.isPermanent || now + retryMs > delivery.expiresAt.getTime())
      return this.finish(delivery, 'FAILED', failure.error);
    await outbox.deliveries.updateOne(
      { _id: delivery._id, claim: delivery.claim },
      {
        $set: {
          claim: null,
          error: failure.error,
          nextAttemptAt: new Date(failure.isOfServer ? this.pausedUntil : now + retryMs),
        },
      },
    );
  }

  /** Sends nothing for a while, so that a server that is down costs one attempt. */
  private pause(now: number): void {
    if (now < this.pausedUntil) return;
    this.pausedUntil = now + doubled(FIRST_PAUSE_MS, this.pauses, MAX_PAUSE_MS);
    this.pauses += 1;
  }

  private async finish(
    { _id, claim, channel, recipient, purpose }: DeliveryRecord,
    state: 'SENT' | 'FAILED',
    error: DeliveryError | null,
  ): Promise<void> {
    const { core, outbox } = this.deps;
    const finishedAt = core.clock.now();
    await core.store.transaction(async (tx) => {
      const matched = await outbox.deliveries.updateOne(
        { _id, claim },
        { $set: { state, error, claim: null, nextAttemptAt: null, finishedAt } },
        tx,
      );
      // A failed message can be sent again; a link that sets a password is not kept.
      if (matched > 0 && (state === 'SENT' || hasPasswordLink(purpose)))
        await outbox.removeContents([_id], tx);
    });
    if (error)
      core.log.warn(
        { deliveryId: _id, channel, recipient, code: error.code },
        `A message was given up: ${error.message}`,
      );
  }
}

const faultOf = (cause: unknown): DeliveryFailure =>
  new DeliveryFailure(
    { code: 'DELIVERY_FAULT', message: cause instanceof Error ? cause.message : String(cause) },
    false,
    false,
  );
