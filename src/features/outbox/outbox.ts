import { randomUUID } from 'node:crypto';
import type { Core } from '../../platform/core';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import type { Tx } from '../../platform/store/store';
import { DELIVERY_TOPIC } from './delivery.events';
import type { Channel, Purpose } from './delivery.events';
import { deliveryContentCollection, deliveryContext, deliveryCollection } from './delivery.model';
import type {
  DeliveryContent,
  DeliveryContentRecord,
  DeliveryError,
  DeliveryRecord,
} from './delivery.model';

declare module '../../platform/context' {
  interface Services {
    outbox: Outbox;
  }
}

interface NewDelivery extends DeliveryContent {
  readonly channel: Channel;
  readonly purpose: Purpose;
  readonly scheduleId?: number;
  readonly runId?: number;
  /** How long it is tried, ms. Default: a day. */
  readonly lifetimeMs?: number;
  /** It cannot be sent: it is stored as failed, so that the list shows it. */
  readonly error?: DeliveryError;
}

export const LIFETIME_MS = 24 * 60 * 60_000;

/** A path of a webhook, and what comes after it, is a secret. */
const shownRecipient = (channel: Channel, to: string): string =>
  channel === 'incoming_webhook' && URL.canParse(to) ? new URL(to).origin : to;

/** Line breaks would end a header. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

/**
 * Messages that are to be sent. They are stored in the transaction of what they tell, and sent
 * later by `DeliveryWorker`, so that a slow or broken server neither delays nor fails the caller.
 */
export class Outbox {
  readonly deliveries;
  readonly sealing: SealedValues;
  readonly contents;

  /** @param domain part of the message ids after the @ */
  constructor(
    private readonly core: Core,
    private readonly vault: Vault,
    private readonly domain: string,
  ) {
    this.deliveries = deliveryCollection(core.store);
    this.contents = deliveryContentCollection(core.store);
    this.sealing = sealedRecords<DeliveryContentRecord>({
      store: core.store,
      vault,
      records: this.contents,
      contextOf: deliveryContext,
    });
  }

  /** Stores a message, and lets it be sent after the commit. */
  async enqueue(
    { to, body, lifetimeMs = LIFETIME_MS, error, ...delivery }: NewDelivery,
    tx: Tx,
  ): Promise<DeliveryRecord> {
    const { store, clock, bus } = this.core;
    const now = clock.now();
    const id = await store.nextId('deliveries');
    const { channel, purpose, scheduleId, runId } = delivery;
    const subject = oneLine(delivery.subject);
    const record = await this.deliveries.insert(
      {
        _id: id,
        channel,
        purpose,
        recipient: shownRecipient(channel, to),
        subject,
        state: error ? 'FAILED' : 'PENDING',
        attempts: 0,
        nextAttemptAt: error ? null : now,
        claim: null,
        error: error ?? null,
        messageId: `<${randomUUID()}@${this.domain}>`,
        ...(scheduleId !== undefined && { scheduleId }),
        ...(runId !== undefined && { runId }),
        createdAt: now,
        finishedAt: error ? now : null,
        expiresAt: new Date(now.getTime() + lifetimeMs),
      },
      tx,
    );
    const sealed = this.vault.seal(JSON.stringify({ to, subject, body }), deliveryContext(id));
    const content = { _id: id, sealed, createdAt: now };
    await this.contents.insert(content, tx);
    if (!error) tx.afterCommit(() => bus.publish<Channel>(DELIVERY_TOPIC, channel));
    return record;
  }

  /** Returns null if it was removed after the message was sent or has expired. */
  async contentOf(id: number, tx?: Tx): Promise<DeliveryContent | null> {
    const record = await this.contents.byId(id, tx);
    return (
      record && (JSON.parse(this.vault.open(record.sealed, deliveryContext(id))) as DeliveryContent)
    );
  }

  async removeContents(ids: readonly number[], tx?: Tx): Promise<void> {
    await this.contents.deleteMany({ _id: { $in: [...ids] } }, tx);
  }
}
