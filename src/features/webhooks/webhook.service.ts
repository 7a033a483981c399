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
  /** Maximum bytes of a body. */
  readonly mostBytes: number;
  readonly onFault: (error: unknown, runId: number) => void;
}

/**
 * Calls that steps of runs make to webhooks of this service: the same rules as over HTTP, without a
 * request.
 */
function createWebhookStarts({ calls, mostBytes, onFault }: WebhookStartsDependencies) {
  async function parametersOf({ search, body, contentType }: StepCall): Promise<CallParameters> {
    const bytes = Buffer.from(body ?? '');
    if (bytes.length > mostBytes)
      throw new TooLarge(`The body may have ${mostBytes} bytes at most.`);
    return callParameters(queryOf(search), await readCallBody(bytes, contentType));
  }

  return {
    /**
     * Starts the schedule of a webhook. Never rejects. Resolves with the status that HTTP would
     * return, or null if the address is not of this service and no webhook here has the token.
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
  /** Called with unexpected errors while a step of this run calls a webhook. */
  readonly onFault: (error: unknown, runId: number) => void;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

/** Fields recorded in the audit; the token is not. */
const recorded = ({ scheduleId }: WebhookRecord): object => ({ scheduleId });

/** Webhooks: anyone who knows the token can start the schedule. */
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
    /** Depth of a run that a call from this origin starts; the call may come from another run. */
    depthOf: ({ runMark }: Pick<Origin, 'runMark'>): number =>
      (marks.read(runMark)?.depth ?? 0) + 1,

    byIds: records.byIds,
    ofSchedules: records.ofSchedules,
    tokenOf: records.tokenOf,

    /**
     * Gives a schedule a webhook. Replaces a webhook whose creator has been deleted.
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

    /** Revokes a webhook. Returns the deleted record, or null if there is none. */
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
