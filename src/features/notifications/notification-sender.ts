import type { Core } from '../../platform/core';
import type { NotificationConfig } from '../../config/mail';
import { createOnDemand } from '../../platform/on-demand';
import { createRepeating } from '../../platform/repeating';
import type { Tx } from '../../platform/store/store';
import type { Outbox } from '../outbox/outbox';
import type { NotifiedSchedule, NotifiedSchedules } from './notification.ports';
import type { UserRecords } from '../users/user-records';
import type { User } from '../users/user.model';
import { COUNT_LINE, FAILURE_MAIL } from './failure-mail';
import { contentIn, messageTemplateCollection } from './message-template.model';
import type { MessageTemplateRecord } from './message-template.model';
import { NOTIFICATION_TOPIC } from './notification.events';
import type { Language } from './notification.events';
import type { NotificationRecords } from './notification-records';
import type { NotificationRecord, RunFacts } from './notification.model';
import { fillIn } from './placeholders';

declare module '../../platform/context' {
  interface Services {
    notificationSender: NotificationSender;
  }
}

const POLL_MS = 1_000;
/** Until an event is tried again that could not be handled. */
const POSTPONED_MS = 60_000;
/** Time in which a schedule sends one message of each notification. */
const WINDOW_MS = 5 * 60_000;

/** Makes messages of events, and folds those that follow each other quickly. */
export class NotificationSender {
  private readonly passes = createOnDemand(
    () => this.handleAll(),
    (error) => this.deps.core.log.error({ err: error }, 'Notifications could not be queued.'),
  );
  private readonly polling = createRepeating(() => this.passes.run(), {
    firstMs: 0,
    thenMs: POLL_MS,
  });
  private readonly templates;
  private unsubscribe = (): void => undefined;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly config: NotificationConfig;
      readonly outbox: Outbox;
      readonly notifications: NotificationRecords;
      readonly schedules: NotifiedSchedules;
      readonly users: UserRecords;
      /** URL of the service for users, without a slash at the end. */
      readonly baseUrl: string;
    },
  ) {
    this.templates = messageTemplateCollection(deps.core.store);
  }

  start(): void {
    this.unsubscribe = this.deps.core.bus.subscribe(
      NOTIFICATION_TOPIC,
      () => void this.passes.run(),
    );
    this.polling.start();
  }

  async stop(): Promise<void> {
    this.unsubscribe();
    await this.polling.stop();
    await this.passes.idle();
  }

  /** Handles all events, and the windows that are over. */
  private async handleAll(): Promise<void> {
    while (await this.handleNext());
    while (await this.closeNext());
  }

  /** Queues the messages of the oldest event. Returns false if there is none. */
  private async handleNext(): Promise<boolean> {
    const { core, notifications, schedules, config } = this.deps;
    const event = await notifications.events.findOne(
      { at: { $lte: core.clock.now() } },
      { sort: { at: 1, _id: 1 } },
    );
    if (!event) return false;
    const work = core.store.transaction(async (tx) => {
      const deleted = await notifications.events.deleteOne({ _id: event._id }, tx);
      const schedule = await schedules.byId(event.scheduleId, tx);
      if (deleted === 0 || !schedule) return;
      const { eventType } = event;
      const records = await notifications.collection.find(
        { scheduleId: schedule._id, eventType },
        { tx, sort: { _id: 1 } },
      );
      for (const each of records) await this.queueOrCount(schedule, each, event.facts, tx);
      if (eventType === 'alert' && schedule.enabled && config.failuresEmail !== null)
        await this.queueOrCount(schedule, null, event.facts, tx);
    });
    await work.catch(async (error: unknown) => {
      // Later events must not wait for one that cannot be handled.
      this.logFault(error, event._id);
      const at = new Date(core.clock.now().getTime() + POSTPONED_MS);
      await notifications.events.updateOne({ _id: event._id }, { $set: { at } });
    });
    return true;
  }

  private logFault(error: unknown, event: string): void {
    this.deps.core.log.error({ err: error, event }, 'Messages of an event were not queued.');
  }

  /** Queues a message, or counts the event if the last message is not five minutes old. */
  private async queueOrCount(
    schedule: NotifiedSchedule,
    notification: NotificationRecord | null,
    facts: string,
    tx: Tx,
  ): Promise<void> {
    const { core, notifications } = this.deps;
    const _id = `${schedule._id}:${notification?._id ?? 'failures'}`;
    const now = core.clock.now();
    const open = await notifications.windows.byId(_id, tx);
    if (open && open.until > now) {
      await notifications.windows.updateOne({ _id }, { $inc: { count: 1 }, $set: { facts } }, tx);
      return;
    }
    const until = new Date(now.getTime() + WINDOW_MS);
    const notificationId = notification?._id ?? null;
    await notifications.windows.upsert(
      { _id },
      { $set: { scheduleId: schedule._id, notificationId, until, count: 0, facts: null } },
      tx,
    );
    await this.queue(schedule, notification, facts, (open?.count ?? 0) + 1, tx);
  }

  /** Ends the next window whose time is over. Returns false if there is none. */
  private async closeNext(): Promise<boolean> {
    const { core, notifications, schedules } = this.deps;
    const now = core.clock.now();
    const over = await notifications.windows.findOne(
      { until: { $lte: now } },
      { sort: { until: 1, _id: 1 } },
    );
    if (!over) return false;
    const work = core.store.transaction(async (tx) => {
      const { _id, notificationId, facts, count } = over;
      if (facts === null) {
        await notifications.windows.deleteOne({ _id, until: over.until, count: 0 }, tx);
        return;
      }
      const closed = await notifications.windows.updateOne(
        { _id, until: over.until, count },
        { $set: { until: new Date(now.getTime() + WINDOW_MS), count: 0, facts: null } },
        tx,
      );
      const schedule = await schedules.byId(over.scheduleId, tx);
      const notification =
        notificationId === null ? null : await notifications.collection.byId(notificationId, tx);
      const isGone = notificationId !== null && notification === null;
      if (closed === 0 || !schedule || isGone) return;
      await this.queue(schedule, notification, facts, count, tx);
    });
    await work.catch(async (error: unknown) => {
      this.logFault(error, over._id);
      const until = new Date(core.clock.now().getTime() + POSTPONED_MS);
      await notifications.windows.updateOne({ _id: over._id }, { $set: { until } });
    });
    return true;
  }

  private async queue(
    schedule: NotifiedSchedule,
    notification: NotificationRecord | null,
    facts: string,
    count: number,
    tx: Tx,
  ): Promise<void> {
    const { config } = this.deps;
    const run = JSON.parse(facts) as RunFacts;
    if (notification === null) {
      const to = config.failuresEmail ?? '';
      const message = { schedule, run, count, to, channel: 'email', purpose: 'FAILURE' } as const;
      const { language } = config;
      await this.enqueue(message, FAILURE_MAIL[language], language, null, tx);
      return;
    }
    const template = await this.templates.byId(notification.templateId, tx);
    if (!template) return;
    const { channel } = template;
    for (const to of await this.recipientsOf(notification, channel, schedule, run)) {
      const email = channel === 'email' ? to : (run.startedBy?.email ?? '');
      const person = email === '' ? null : await this.deps.users.byEmail(email);
      const language = (channel === 'email' && person?.detail.lang) || 'en';
      const content = contentIn(template, language);
      const message = { schedule, run, count, to, channel, purpose: 'NOTIFICATION' } as const;
      if (content) await this.enqueue(message, content, content.language, person, tx);
    }
  }

  /** An empty text if there is no recipient: the message is then stored as failed. */
  private async recipientsOf(
    { recipients }: NotificationRecord,
    channel: MessageTemplateRecord['channel'],
    schedule: NotifiedSchedule,
    run: RunFacts,
  ): Promise<readonly string[]> {
    if (recipients.length > 0) return recipients;
    if (channel === 'email') {
      // Their present address; deleted and disabled users get no mails.
      const ids = [run.startedBy, schedule.createdBy].flatMap((author) => author?.userId ?? []);
      const users = await this.deps.users.byIds(ids);
      return [users.find((user) => user?.disabledAt === null)?.email ?? ''];
    }
    const { webhookUrls } = this.deps.config;
    return webhookUrls.length > 0 ? webhookUrls : [''];
  }

  private async enqueue(
    message: {
      readonly schedule: NotifiedSchedule;
      readonly run: RunFacts;
      readonly count: number;
      readonly to: string;
      readonly channel: MessageTemplateRecord['channel'];
      readonly purpose: 'NOTIFICATION' | 'FAILURE';
    },
    content: { readonly subject: string; readonly body: string },
    language: Language,
    user: User | null,
    tx: Tx,
  ): Promise<void> {
    const { schedule, run, count, to, channel, purpose } = message;
    const facts = {
      run,
      count,
      schedule: { id: schedule._id, title: schedule.title },
      person: user && user.detail,
      runUrl: `${this.deps.baseUrl}/dashboard/runs/${run.runId}`,
    };
    const body = fillIn(content.body, facts);
    await this.deps.outbox.enqueue(
      {
        channel,
        purpose,
        to,
        subject: fillIn(content.subject, facts),
        body: count === 1 ? body : `${body}\n\n${COUNT_LINE[language](count)}`,
        scheduleId: schedule._id,
        runId: run.runId,
        ...(to === '' && {
          error: {
            code: 'RECIPIENT_MISSING',
            message: 'No recipient is named or configured, or the user was deleted or disabled.',
          },
        }),
      },
      tx,
    );
  }
}
