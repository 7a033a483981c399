import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Adoption } from '../../platform/store/startup/adoption';
import { uniquely } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import type { ApiTokenService } from '../api-tokens/api-token.service';
import type { AuditService } from '../audit/audit.service';
import type { UserRecords } from '../users/user-records';
import type { AdoptedWebhook, WebhookRecords } from './webhook-records';
import type { ShownWebhook, WebhookRecord } from './webhook.model';
import type { SchedulesOfWebhooks, StartedSchedule } from './webhook.ports';

declare module '../../platform/context' {
  interface Services {
    webhooks: WebhookService;
  }
}

/** The same error for a webhook that never existed, was revoked, or lost its schedule. */
export const webhookNotFound = (path?: InputPath): NotFound =>
  new NotFound('WEBHOOK_NOT_FOUND', 'There is no such webhook.', { path });

const hasWebhook = (scheduleId: number): Conflict =>
  new Conflict(
    'SCHEDULER_HAS_WEBHOOK',
    `The schedule ${scheduleId} already has a webhook. Revoke it first.`,
    { path: ['scheduleId'] },
  );

/** Fields recorded in the audit; the token is not. */
const auditedFields = ({ scheduleId }: WebhookRecord): object => ({ scheduleId });

/** Webhooks: secret URLs that start a schedule without signing in. */
export class WebhookService {
  constructor(
    private readonly deps: {
      readonly core: Pick<Core, 'store'>;
      readonly audit: AuditService;
      readonly records: WebhookRecords;
      readonly schedules: Pick<SchedulesOfWebhooks, 'byId' | 'claim'>;
      readonly users: UserRecords;
      readonly apiTokens: ApiTokenService;
    },
  ) {}

  /** In the order of the ids, null where there is none. */
  byIds(ids: readonly number[]): Promise<(WebhookRecord | null)[]> {
    return this.deps.records.byIds(ids);
  }

  /** Webhooks by schedule id, in one read. */
  ofSchedules(scheduleIds: readonly number[]): Promise<ReadonlyMap<number, WebhookRecord>> {
    return this.deps.records.ofSchedules(scheduleIds);
  }

  /** The same with their secrets and API tokens. */
  async shownOfSchedules(
    scheduleIds: readonly number[],
  ): Promise<ReadonlyMap<number, ShownWebhook>> {
    const records = [...(await this.ofSchedules(scheduleIds)).values()];
    const ids = records.flatMap(({ apiTokenId }) => apiTokenId ?? []);
    const tokens = ids.length === 0 ? [] : await this.deps.apiTokens.byIds(ids);
    return new Map(
      records.map((record) => [
        record.scheduleId,
        {
          _id: record._id,
          token: this.tokenOf(record),
          apiToken: tokens.find((token) => token?.id === record.apiTokenId) ?? null,
        },
      ]),
    );
  }

  /** @throws NotFound if it was deleted in the meantime */
  async shown({ scheduleId }: WebhookRecord): Promise<ShownWebhook> {
    const webhook = (await this.shownOfSchedules([scheduleId])).get(scheduleId);
    if (!webhook) throw webhookNotFound();
    return webhook;
  }

  /** @throws SealBroken */
  tokenOf(record: WebhookRecord): string {
    return this.deps.records.tokenOf(record);
  }

  /** Returns null if the webhook is missing, or its creator or API token is not valid any more. */
  async byToken(token: string): Promise<WebhookRecord | null> {
    const record = await this.deps.records.byToken(token);
    return record && (await this.isValid(record)) ? record : null;
  }

  scheduleOf({ scheduleId }: WebhookRecord): Promise<StartedSchedule | null> {
    return this.deps.schedules.byId(scheduleId);
  }

  /**
   * Creates the webhook of a schedule. Replaces one whose creator or API token is not valid any more.
   * @throws NotFound SCHEDULER_NOT_FOUND
   * @throws Conflict SCHEDULER_HAS_WEBHOOK
   */
  create(actor: Actor, scheduleId: number): Promise<WebhookRecord> {
    const { audit, records, schedules, users } = this.deps;
    return uniquely(
      () =>
        users.inTransaction(actor.userId, async (tx) => {
          await users.requireActive(actor.userId, tx);
          await schedules.claim(scheduleId, tx, ['scheduleId']);
          const before = (await records.ofSchedules([scheduleId], tx)).get(scheduleId);
          if (before && (await this.isValid(before))) throw hasWebhook(scheduleId);
          if (before) await records.removeOfSchedules([scheduleId], tx);
          const record = await records.insert(actor, scheduleId, tx);
          await audit.record(
            actor,
            'webhook.create',
            { type: 'Webhook', id: record._id },
            before ? auditedFields(before) : null,
            auditedFields(record),
            tx,
          );
          return record;
        }),
      () => hasWebhook(scheduleId),
    );
  }

  /** Creates the webhook of a new schedule with a token of another installation. */
  async adopt(actor: Actor, webhook: AdoptedWebhook, adoption: Adoption): Promise<void> {
    const { audit, records, schedules } = this.deps;
    await schedules.claim(webhook.scheduleId, adoption.tx, ['scheduleId']);
    const record = await records.adopt(webhook, adoption);
    const target = { type: 'Webhook', id: record._id } as const;
    await audit.record(actor, 'webhook.create', target, null, auditedFields(record), adoption.tx);
  }

  /** Returns whether a webhook has this token, with those of `adopt` in this transaction. */
  async isTaken(token: string, tx: Tx): Promise<boolean> {
    return (await this.deps.records.byToken(token, tx)) !== null;
  }

  isToken(text: string): boolean {
    return this.deps.records.isToken(text);
  }

  /** Revokes a webhook. Returns the deleted record, or null if there is none. */
  remove(actor: Actor, id: number): Promise<WebhookRecord | null> {
    const { core, audit, records } = this.deps;
    return core.store.transaction(async (tx) => {
      const removed = await records.remove(id, tx);
      const target = { type: 'Webhook', id } as const;
      if (removed)
        await audit.record(actor, 'webhook.delete', target, auditedFields(removed), null, tx);
      return removed;
    });
  }

  /** A webhook ends with its creator, and with the API token it was created with. */
  private async isValid({ createdBy, apiTokenId }: WebhookRecord): Promise<boolean> {
    const { apiTokens, users } = this.deps;
    if ((await users.activeIdentity(createdBy.userId)) === null) return false;
    return apiTokenId === undefined || apiTokens.isValid(apiTokenId);
  }
}
