import type { Actor } from '../../platform/access/actor';
import type { Origin } from '../../platform/context';
import type { RunMarks } from '../../platform/crypto/run-marks';
import { uniquely } from '../../platform/store/store';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { ScheduleService } from '../schedules/schedule.service';
import { createWebhookCalls } from './webhook-calls';
import type { WebhookCallsDependencies } from './webhook-calls';
import type { WebhookRecord } from './webhook.model';
import type { WebhookRecords } from './webhook-records';
import { hasWebhook } from './webhook.rules';
import { DomainError, TooLarge } from '../../platform/errors/errors';
import { documentedErrors, failureOf } from '../../platform/http/error-body';
import { queryOf } from '../../platform/http/request-url';
import type { CallingRun, StepCall } from '../runs/execution/run-engine';
import { readCallBody } from './call-body';
import { callParameters } from './call-parameters';
import type { CallParameters } from './call-parameters';

const OK = 200;
const FAULT = 500;

interface WebhookStartsDependencies {
  readonly calls: ReturnType<typeof createWebhookCalls>;
  /** Bytes of a body. */
  readonly mostBytes: number;
  readonly onFault: (error: unknown, runId: number) => void;
}

/** Calls that steps of runs make to webhooks of this service: the same rules as over HTTP, without the way there. */
function createWebhookStarts({ calls, mostBytes, onFault }: WebhookStartsDependencies) {
  async function parametersOf({ search, body, contentType }: StepCall): Promise<CallParameters> {
    const bytes = Buffer.from(body ?? '');
    if (bytes.length > mostBytes)
      throw new TooLarge(`The body may have ${mostBytes} bytes at most.`);
    return callParameters(queryOf(search), await readCallBody(bytes, contentType));
  }

  return {
    /**
     * Starts the schedule of a webhook. Resolves with the status that the call would be answered with over HTTP, or null where one elsewhere is none
     * of this service; never rejects.
     */
    async startFromRun(call: StepCall, run: CallingRun): Promise<number | null> {
      try {
        if (call.isElsewhere && !(await calls.isOurs(call.token))) return null;
        await calls.admit(call.token, `workflow ${run.workflowId}`);
        await calls.call(call.token, await parametersOf(call), run.depth + 1);
        return OK;
      } catch (error) {
        if (error instanceof DomainError) return documentedErrors.status(failureOf(error));
        onFault(error, run.runId);
        return FAULT;
      }
    },
  };
}

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
export function createWebhookService({
  store,
  audit,
  records,
  schedules,
  users,
  marks,
  onFault,
  ...of
}: WebhookDependencies) {
  const calls = createWebhookCalls({ ...of, records, schedules, users });
  return {
    ...calls,
    ...createWebhookStarts({ calls, mostBytes: of.config.limits.jsonBytes, onFault }),
    /** Of a run that is started by a call from there, which another run may have made. */
    depthOf: ({ runMark }: Pick<Origin, 'runMark'>): number =>
      (marks.read(runMark)?.depth ?? 0) + 1,

    byIds: records.byIds,
    ofSchedules: records.ofSchedules,
    tokenOf: records.tokenOf,

    /**
     * Gives a schedule a webhook. One whose maker is gone gives way to it.
     * @throws NotFound SCHEDULER_NOT_FOUND
     * @throws Conflict SCHEDULER_HAS_WEBHOOK
     */
    create: (actor: Actor, scheduleId: number): Promise<WebhookRecord> =>
      uniquely(
        () =>
          store.transaction(async (tx) => {
            await schedules.claim(scheduleId, tx, ['scheduleId']);
            const before = (await records.ofSchedules([scheduleId], tx)).get(scheduleId);
            if (before && (await users.byId(before.createdBy.userId))) throw hasWebhook(scheduleId);
            if (before) await records.removeOfSchedules([scheduleId], tx);
            const record = await records.insert(actor, scheduleId, tx);
            await audit.record(
              actor,
              'webhook.create',
              { type: 'Webhook', id: record._id },
              before ? recorded(before) : null,
              recorded(record),
              tx,
            );
            return record;
          }),
        () => hasWebhook(scheduleId),
      ),

    /** Revokes a webhook: whoever calls it from now on starts nothing. Answers it as it was; null where there is none. */
    remove: (actor: Actor, id: number): Promise<WebhookRecord | null> =>
      store.transaction(async (tx) => {
        const removed = await records.remove(id, tx);
        if (removed)
          await audit.record(
            actor,
            'webhook.delete',
            { type: 'Webhook', id },
            recorded(removed),
            null,
            tx,
          );
        return removed;
      }),
  };
}
