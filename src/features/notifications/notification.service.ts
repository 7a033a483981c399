import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Core } from '../../platform/core';
import { BadInput, NotFound } from '../../platform/errors/errors';
import type { InputPath, Problem } from '../../platform/errors/errors';
import { maskUrlPath } from '../../platform/redaction';
import { changeAll } from '../../platform/store/change-all';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Adoption } from '../../platform/store/startup/adoption';
import type { Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { Channel } from '../outbox/delivery.events';
import type { NotifiedSchedules } from './notification.ports';
import type { MessageTemplateRecord } from './message-template.model';
import type { MessageTemplateService } from './message-template.service';
import type { NotificationRecords } from './notification-records';
import type { NotificationRecord } from './notification.model';
import { notificationPolicy } from './notification.policy';
import {
  isEventType,
  MAX_NOTIFICATIONS,
  notificationProblems,
  recipientProblems,
} from './notification.rules';
import type { NotificationInput } from './notification.rules';

declare module '../../platform/context' {
  interface Services {
    notifications: NotificationService;
  }
}

/** A notification with its template, as a user may see it. */
export interface NotificationView extends NotificationRecord {
  readonly template: { readonly name: string; readonly channel: Channel };
}

/** A new notification, or with an id a change. */
export interface SavedNotification extends NotificationInput {
  readonly id: number | null;
}

const target = (id: number) => ({ type: 'Notification', id }) as const;

/** Recipients of webhooks are URLs whose path is a secret. */
const masked = <N extends NotificationRecord>(notification: N): N => ({
  ...notification,
  recipients: notification.recipients.map(maskUrlPath),
});

const viewOf = (
  notification: NotificationRecord,
  { name, channel }: MessageTemplateRecord,
): NotificationView => ({ ...notification, template: { name, channel } });

const notificationNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('NOTIFICATION_NOT_FOUND', `There is no notification ${id}.`, { path });

/** The notifications of schedules. Only who may change them sees whole URLs of webhooks. */
export class NotificationService {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly records: NotificationRecords;
      readonly templates: MessageTemplateService;
      readonly schedules: NotifiedSchedules;
      readonly missingMailKeys: readonly string[];
    },
  ) {}

  /** Keys of the configuration without which no mail can be sent. */
  get missingMailKeys(): readonly string[] {
    return this.deps.missingMailKeys;
  }

  /** @throws NotFound NOTIFICATION_NOT_FOUND */
  async get(actor: Actor, id: number): Promise<NotificationView> {
    const [view] = await this.withTemplates(actor, [await this.require(id)]);
    if (!view) throw notificationNotFound(id);
    return view;
  }

  async byIds(actor: Actor, ids: readonly number[]): Promise<(NotificationView | null)[]> {
    const records = await this.deps.records.collection.byIds(ids);
    const views = await this.withTemplates(
      actor,
      records.filter((each) => each !== null),
    );
    const byId = new Map(views.map((each) => [each._id, each]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** @throws NotFound SCHEDULER_NOT_FOUND */
  async ofSchedule(actor: Actor, scheduleId: number): Promise<readonly NotificationView[]> {
    await this.deps.schedules.get(scheduleId);
    return (await this.ofSchedules(actor, [scheduleId])).get(scheduleId) ?? [];
  }

  /** Returns the notifications of each schedule, by id. Two queries. */
  async ofSchedules(
    actor: Actor,
    scheduleIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly NotificationView[]>> {
    const records = await this.deps.records.ofSchedules(scheduleIds);
    const views = await this.withTemplates(actor, records);
    return new Map(
      scheduleIds.map((id) => [id, views.filter(({ scheduleId }) => scheduleId === id)]),
    );
  }

  /**
   * @throws NotFound SCHEDULER_NOT_FOUND, MESSAGE_TEMPLATE_NOT_FOUND
   * @throws BadInput if name, event or recipients are invalid
   */
  async create(
    actor: Actor,
    scheduleId: number,
    input: NotificationInput,
  ): Promise<NotificationView> {
    const { store } = this.deps.core;
    return store.transaction((tx) => this.insert(actor, scheduleId, input, tx));
  }

  /** `create` with the id of another installation. */
  async adopt(
    actor: Actor,
    scheduleId: number,
    input: NotificationInput,
    { id, tx }: Adoption,
  ): Promise<void> {
    await this.insert(actor, scheduleId, input, tx, id);
  }

  /**
   * @throws NotFound NOTIFICATION_NOT_FOUND, MESSAGE_TEMPLATE_NOT_FOUND
   * @throws BadInput if name, event or recipients are invalid
   */
  async update(
    actor: Actor,
    id: number,
    input: NotificationInput,
    expectedVersion?: ExpectedVersion,
  ): Promise<NotificationView> {
    return this.deps.core.store.transaction((tx) =>
      this.change(actor, id, input, { expectedVersion }, tx),
    );
  }

  /** Adds and changes notifications of a schedule, in the transaction that saves it. */
  async saveAll(
    actor: Actor,
    scheduleId: number,
    inputs: readonly SavedNotification[],
    tx: Tx,
  ): Promise<void> {
    for (const { id, ...input } of inputs)
      if (id === null) await this.insert(actor, scheduleId, input, tx);
      else await this.change(actor, id, input, { scheduleId }, tx);
  }

  remove(actor: Actor, id: number, expected?: ExpectedVersion): Promise<NotificationRecord> {
    return this.deps.core.store.transaction((tx) =>
      this.removeOne(actor, id, ['id'], tx, expected),
    );
  }

  removeAll(actor: Actor, ids: readonly number[]): Promise<NotificationRecord[]> {
    return changeAll(this.deps.core.store, ids, 'notifications', (id, path, tx) =>
      this.removeOne(actor, id, path, tx),
    );
  }

  private async removeOne(
    actor: Actor,
    id: number,
    path: InputPath,
    tx: Tx,
    expected?: ExpectedVersion,
  ): Promise<NotificationRecord> {
    const { audit, records } = this.deps;
    const before = await this.require(id, tx, path);
    requireVersion('notification', before, expected);
    await records.collection.deleteOne({ _id: id }, tx);
    await audit.record(actor, 'notification.delete', target(id), masked(before), null, tx);
    return before;
  }

  private async insert(
    actor: Actor,
    scheduleId: number,
    input: NotificationInput,
    tx: Tx,
    id?: number,
  ): Promise<NotificationView> {
    const { core, audit, records, schedules } = this.deps;
    await schedules.claim(scheduleId, tx, ['scheduleId']);
    const { fields, template } = await this.checked(input, tx);
    const count = await records.collection.count({ scheduleId }, { tx });
    if (count >= MAX_NOTIFICATIONS)
      throw new BadInput(
        'LIST_TOO_LONG',
        `A schedule has at most ${MAX_NOTIFICATIONS} notifications.`,
      );
    const _id = id ?? (await core.store.nextId('notifications', tx));
    const record = await records.collection.insert({ _id, scheduleId, ...fields, version: 1 }, tx);
    await audit.record(actor, 'notification.create', target(_id), null, masked(record), tx);
    return viewOf(record, template);
  }

  private async change(
    actor: Actor,
    id: number,
    input: NotificationInput,
    of: { readonly scheduleId?: number; readonly expectedVersion?: ExpectedVersion },
    tx: Tx,
  ): Promise<NotificationView> {
    const { audit, records } = this.deps;
    const before = await this.require(id, tx);
    if (of.scheduleId !== undefined && of.scheduleId !== before.scheduleId)
      throw notificationNotFound(id);
    requireVersion('notification', before, of.expectedVersion);
    const { fields, template } = await this.checked(input, tx);
    const set = { ...fields, version: before.version + 1 };
    const after = await records.collection.change(id, set, tx);
    const [old, changed] = [masked(before), masked(after)];
    await audit.record(actor, 'notification.update', target(id), old, changed, tx);
    return viewOf(after, template);
  }

  private async checked(
    input: NotificationInput,
    tx: Tx,
  ): Promise<{
    readonly fields: Pick<NotificationRecord, 'name' | 'eventType' | 'templateId' | 'recipients'>;
    readonly template: MessageTemplateRecord;
  }> {
    const { name, eventType, templateId, recipients } = input;
    const problems: Problem[] = notificationProblems(input);
    const template = await this.deps.templates.claim(templateId, tx, ['templateId']);
    problems.push(...recipientProblems(recipients, template.channel));
    const [first] = problems;
    if (first) throw new BadInput(first.code, 'The notification is invalid.', { problems });
    if (!isEventType(eventType)) throw new Error('The event was not checked.');
    return {
      fields: { name: name.trim(), eventType, templateId, recipients: [...new Set(recipients)] },
      template,
    };
  }

  private async require(id: number, tx?: Tx, path?: InputPath): Promise<NotificationRecord> {
    const record = await this.deps.records.collection.byId(id, tx);
    if (!record) throw notificationNotFound(id, path);
    return record;
  }

  /** Skips notifications that were deleted with their template in the meantime. */
  private async withTemplates(
    actor: Actor,
    records: readonly NotificationRecord[],
  ): Promise<NotificationView[]> {
    if (records.length === 0) return [];
    const shown = allows(notificationPolicy.update, actor) ? records : records.map(masked);
    const ids = [...new Set(records.map(({ templateId }) => templateId))];
    const templates = new Map(
      (await this.deps.templates.byIds(ids)).flatMap((each) => (each ? [[each._id, each]] : [])),
    );
    return shown.flatMap((each) => {
      const template = templates.get(each.templateId);
      return template ? [viewOf(each, template)] : [];
    });
  }
}
