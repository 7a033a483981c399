import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { BadInput, NotFound, Refused } from '../../platform/errors/errors';
import { missingSettings } from '../../platform/errors/missing-settings';
import type { Repeating } from '../../platform/repeating';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { removingOld } from '../../platform/store/removal';
import { emailProblems } from '../users/user.service';
import type { AuditService } from '../audit/audit.service';
import { DELIVERY_TOPIC } from './delivery.events';
import type { Channel, DeliveryState } from './delivery.events';
import type { DeliveryRecord } from './delivery.model';
import { LIFETIME_MS } from './outbox';
import type { Outbox } from './outbox';

declare module '../../platform/context' {
  interface Services {
    deliveries: DeliveryService;
  }
}

/** A test that is not sent by then tells nothing about the mail server. */
const TEST_LIFETIME_MS = 10 * 60_000;
const RETENTION_MS = 30 * 24 * 60 * 60_000;

const deliveryNotFound = (id: number): NotFound =>
  new NotFound('DELIVERY_NOT_FOUND', `There is no message ${id}.`, { path: ['id'] });

/** The list of messages that were sent, failed, or wait. */
export class DeliveryService {
  /** Removes messages that ended a month ago, and later the contents of those that failed. */
  readonly cleanups: readonly Repeating[];

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly outbox: Outbox;
      readonly missingMailKeys: readonly string[];
    },
  ) {
    const { core, outbox } = deps;
    const before = (ms: number): Date => new Date(core.clock.now().getTime() - ms);
    const reports = {
      onRemoved: (records: number) => core.log.info({ records }, 'Old messages were removed.'),
      onFault: (error: unknown) => core.log.error({ err: error }, 'Old messages were not removed.'),
    };
    this.cleanups = [
      removingOld(
        {
          records: outbox.deliveries,
          filter: () => ({ finishedAt: { $lte: before(RETENTION_MS) } }),
          order: { finishedAt: 1, _id: 1 },
        },
        reports,
      ),
      // A message that is sent again after almost a month still needs its content.
      removingOld(
        {
          records: outbox.contents,
          filter: () => ({ createdAt: { $lte: before(2 * RETENTION_MS) } }),
          order: { createdAt: 1, _id: 1 },
        },
        reports,
      ),
    ];
  }

  page(query: PageQuery): Promise<Page<DeliveryRecord>> {
    return pageOf<DeliveryRecord>(this.deps.outbox.deliveries, query);
  }

  /** Returns the newest messages, of one state if given. */
  async newest(most: number, state?: DeliveryState): Promise<DeliveryRecord[]> {
    return this.deps.outbox.deliveries.find(state ? { state } : {}, {
      sort: { createdAt: -1, _id: -1 },
      limit: most,
    });
  }

  byIds(ids: readonly number[]): Promise<(DeliveryRecord | null)[]> {
    return this.deps.outbox.deliveries.byIds(ids);
  }

  /**
   * Sends a mail with which an administrator tests the mail server, by default to themselves.
   * @throws Refused MAIL_NOT_CONFIGURED
   * @throws BadInput RECIPIENT_INVALID
   */
  async sendTest(actor: Actor, recipient = actor.email): Promise<DeliveryRecord> {
    const { core, audit, outbox, missingMailKeys } = this.deps;
    if (missingMailKeys.length > 0)
      throw new Refused(
        'MAIL_NOT_CONFIGURED',
        missingSettings('Mails cannot be sent', missingMailKeys),
      );
    const to = recipient.trim();
    const [problem] = emailProblems(to);
    if (problem) throw new BadInput('RECIPIENT_INVALID', problem.message, { path: ['recipient'] });
    const mail = {
      channel: 'email',
      purpose: 'TEST',
      to,
      subject: 'Test mail',
      body: `${actor.email} has sent this mail to test the mail server. It was delivered.`,
      lifetimeMs: TEST_LIFETIME_MS,
    } as const;
    return core.store.transaction(async (tx) => {
      const delivery = await outbox.enqueue(mail, tx);
      const target = { type: 'Delivery', id: delivery._id } as const;
      await audit.record(actor, 'delivery.test', target, null, { recipient: to }, tx);
      return delivery;
    });
  }

  /**
   * Sends a message again that was given up.
   * @throws NotFound DELIVERY_NOT_FOUND
   * @throws Refused DELIVERY_NOT_FAILED if it waits, was sent, or its content is not kept
   */
  async retry(actor: Actor, id: number): Promise<DeliveryRecord> {
    const { core, audit, outbox } = this.deps;
    return core.store.transaction(async (tx) => {
      const before = await outbox.deliveries.byId(id, tx);
      if (!before) throw deliveryNotFound(id);
      const content = await outbox.contentOf(id, tx);
      if (before.state !== 'FAILED' || !content?.to)
        throw new Refused('DELIVERY_NOT_FAILED', 'Only a message that failed can be sent again.', {
          path: ['id'],
        });
      const now = core.clock.now();
      const after = await outbox.deliveries.change(
        id,
        {
          state: 'PENDING',
          attempts: 0,
          nextAttemptAt: now,
          finishedAt: null,
          expiresAt: new Date(now.getTime() + LIFETIME_MS),
        },
        tx,
      );
      const [old, changed] = [{ state: before.state }, { state: after.state }];
      await audit.record(actor, 'delivery.retry', { type: 'Delivery', id }, old, changed, tx);
      tx.afterCommit(() => core.bus.publish<Channel>(DELIVERY_TOPIC, after.channel));
      return after;
    });
  }
}
