import type { Actor } from '../../platform/access/actor';
import type { Origin } from '../../platform/context';
import type { RunMarks } from '../../platform/crypto/run-marks';
import { uniquely } from '../../platform/store/store';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { ScheduleService } from '../schedules/schedule.service';
import { createWebhookCalls } from './webhook-calls';
import type { WebhookCallsDependencies } from './webhook-calls';
import { createWebhookStarts } from './webhook-starts';
import type { WebhookRecord } from './webhook.model';
import type { WebhookRecords } from './webhook-records';
import { hasWebhook } from './webhook.rules';

declare module '../../platform/context' {
  interface Services {
    webhooks: WebhookService;
  }
}

export interface WebhookDependencies extends Omit<WebhookCallsDependencies, 'records'> {
  readonly store: Store;
  readonly audit: AuditService;
  readonly records: WebhookRecords;
  readonly marks: Pick<RunMarks, 'read'>;
  readonly schedules: Pick<ScheduleService, 'byId' | 'claim' | 'fire'>;
  /** A fault of ours, while a step of this run called a webhook. */
  readonly onFault: (error: unknown, runId: number) => void;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

/** What the audit keeps of a webhook: nothing that would start it. */
const recorded = ({ scheduleId }: WebhookRecord): object => ({ scheduleId });

/** The rules of webhooks: what starts a schedule for whoever knows the token. */
export function createWebhookService({ store, audit, records, schedules, users, marks, onFault, ...of }: WebhookDependencies) {
  const calls = createWebhookCalls({ ...of, records, schedules, users });
  return {
    ...calls,
    ...createWebhookStarts({ calls, mostBytes: of.config.limits.jsonBytes, onFault }),
    /** Of a run that is started by a call from there, which another run may have made. */
    depthOf: ({ runMark }: Pick<Origin, 'runMark'>): number => (marks.read(runMark)?.depth ?? 0) + 1,

    byIds: records.byIds,
    ofSchedules: records.ofSchedules,
    tokenOf: records.tokenOf,

    /**
     * Gives a schedule a webhook. One whose maker is gone gives way to it.
     * @throws NotFound SCHEDULER_NOT_FOUND
     * @throws Conflict SCHEDULER_HAS_WEBHOOK
     */
    create: (actor: Actor, scheduleId: number): Promise<WebhookRecord> => uniquely(() => store.transaction(async (tx) => {
      await schedules.claim(scheduleId, tx, ['scheduleId']);
      const before = (await records.ofSchedules([scheduleId], tx)).get(scheduleId);
      if (before && (await users.byId(before.createdBy.userId))) throw hasWebhook(scheduleId);
      if (before) await records.removeOfSchedules([scheduleId], tx);
      const record = await records.insert(actor, scheduleId, tx);
      await audit.record(actor, 'webhook.create', { type: 'Webhook', id: record._id }, before ? recorded(before) : null, recorded(record), tx);
      return record;
    }), () => hasWebhook(scheduleId)),

    /** Revokes a webhook: whoever calls it from now on starts nothing. Answers it as it was; null where there is none. */
    remove: (actor: Actor, id: number): Promise<WebhookRecord | null> => store.transaction(async (tx) => {
      const removed = await records.remove(id, tx);
      if (removed) await audit.record(actor, 'webhook.delete', { type: 'Webhook', id }, recorded(removed), null, tx);
      return removed;
    }),
  };
}
