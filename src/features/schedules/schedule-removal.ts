import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { NotificationRecords } from '../notifications/notification-records';
import type { WebhookRecords } from '../webhooks/webhook-records';
import type { ScheduleRecords } from './schedule-records';
import { auditedFields } from './schedule.model';
import type { ScheduleRecord } from './schedule.model';

/** Deletes schedules with their webhooks and notifications. Runs that they started continue. */
export class ScheduleRemoval {
  constructor(
    private readonly deps: {
      readonly audit: AuditService;
      readonly records: ScheduleRecords;
      readonly webhooks: WebhookRecords;
      readonly notifications: NotificationRecords;
    },
  ) {}

  async remove(actor: Actor, schedules: readonly ScheduleRecord[], tx: Tx): Promise<void> {
    if (schedules.length === 0) return;
    const { audit, records, webhooks, notifications } = this.deps;
    const ids = schedules.map(({ _id }) => _id);
    await records.collection.deleteMany({ _id: { $in: ids } }, tx);
    await webhooks.removeOfSchedules(ids, tx);
    await notifications.removeOfSchedules(ids, tx);
    for (const schedule of schedules) {
      const target = { type: 'Schedule', id: schedule._id } as const;
      await audit.record(actor, 'schedule.delete', target, auditedFields(schedule), null, tx);
    }
    records.publish(ids, tx);
  }

  /** Deletes the schedules of a workflow, in the transaction that deletes the workflow. */
  async removeOf(actor: Actor, workflowId: number, tx: Tx): Promise<void> {
    const schedules = await this.deps.records.collection.find({ workflowId }, { tx });
    await this.remove(actor, schedules, tx);
  }
}
