import type { RunError } from '../../engine';
import type { Core } from '../../platform/core';
import { isDuplicateKey } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import type { RunStateName } from '../runs/run.events';
import type { RunRecord } from '../runs/run.model';
import {
  notificationEventCollection,
  notificationCollection,
  notificationWindowCollection,
} from './notification.model';
import { NOTIFICATION_TOPIC } from './notification.events';
import type { EventType } from './notification.events';
import type { NotificationEventRecord, NotificationRecord, RunFacts } from './notification.model';

declare module '../../platform/context' {
  interface Services {
    notificationRecords: NotificationRecords;
  }
}

/** The events of ended runs. A run that was cancelled is none. */
const EVENT_OF: Partial<Record<RunStateName, EventType>> = {
  SUCCEEDED: 'post',
  FAILED: 'alert',
  INTERRUPTED: 'alert',
};

const errorFacts = ({ code, message, name, index }: RunError): RunFacts['error'] => ({
  code,
  message,
  ...(name !== undefined && { name }),
  index,
});

const factsOf = (run: RunRecord): RunFacts => ({
  runId: run._id,
  workflowId: run.workflowId,
  workflowTitle: run.workflowTitle,
  state: run.state,
  error: run.error && errorFacts(run.error),
  values: (run.values ?? []).map(({ argumentId, value }) => ({ argumentId, value })),
  startedBy: run.startedBy && { userId: run.startedBy.userId, email: run.startedBy.email },
});

/**
 * The stored notifications and their events, for services that notifications themselves depend on.
 * A run only stores that an event occurred: nothing about messages can delay it or make it fail.
 */
export class NotificationRecords {
  readonly collection;
  readonly events;
  readonly windows;

  /** @param mailsFailures whether failed runs of all schedules are mailed */
  constructor(
    private readonly core: Core,
    private readonly mailsFailures: boolean,
  ) {
    this.collection = notificationCollection(core.store);
    this.events = notificationEventCollection(core.store);
    this.windows = notificationWindowCollection(core.store);
  }

  /** Stores the event of an ended run, in the transaction that ends it. Ignores tests. */
  async runEnded(run: RunRecord, tx: Tx): Promise<void> {
    const eventType = EVENT_OF[run.state];
    if (eventType !== undefined) await this.record(run, eventType, tx);
  }

  /** Stores that a run has started; once, even if it starts over. Never rejects. */
  async runStarted(run: RunRecord): Promise<void> {
    const { scheduleId, test } = run;
    if (test || scheduleId === undefined) return;
    try {
      if (await this.collection.exists({ scheduleId, eventType: 'pre' }))
        await this.core.store.transaction((tx) => this.record(run, 'pre', tx));
    } catch (error) {
      if (isDuplicateKey(error)) return;
      this.core.log.error({ err: error, runId: run._id }, 'The start of a run was not recorded.');
    }
  }

  /** Returns the notifications of all these schedules, by id. One query. */
  async ofSchedules(scheduleIds: readonly number[]): Promise<NotificationRecord[]> {
    return this.collection.find({ scheduleId: { $in: [...scheduleIds] } }, { sort: { _id: 1 } });
  }

  /** Deletes the notifications of schedules, in the transaction that deletes the schedules. */
  async removeOfSchedules(scheduleIds: readonly number[], tx: Tx): Promise<void> {
    const ofThese = { scheduleId: { $in: [...scheduleIds] } };
    await this.collection.deleteMany(ofThese, tx);
    await this.windows.deleteMany(ofThese, tx);
  }

  private async record(run: RunRecord, eventType: EventType, tx: Tx): Promise<void> {
    const { scheduleId } = run;
    if (run.test || scheduleId === undefined) return;
    if (!(await this.isWanted(scheduleId, eventType))) return;
    const event: NotificationEventRecord = {
      _id: `${run._id}:${eventType}`,
      scheduleId,
      eventType,
      at: this.core.clock.now(),
      facts: JSON.stringify(factsOf(run)),
    };
    this.events.insertLater(event, tx);
    tx.afterCommit(() => this.core.bus.publish(NOTIFICATION_TOPIC, scheduleId));
  }

  /** From memory, where the store allows it: what a user wants is as new as the last commit. */
  private async isWanted(scheduleId: number, eventType: EventType): Promise<boolean> {
    if (eventType === 'alert' && this.mailsFailures) return true;
    return this.collection.exists({ scheduleId, eventType });
  }
}
