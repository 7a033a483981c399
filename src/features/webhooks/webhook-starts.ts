import { DomainError, TooLarge } from '../../platform/errors/errors';
import { documentedErrors, failureOf } from '../../platform/http/error-body';
import { queryOf } from '../../platform/http/request-url';
import type { CallingRun, StepCall } from '../runs/execution/run-engine';
import { readCallBody } from './call-body';
import { callParameters } from './call-parameters';
import type { CallParameters } from './call-parameters';
import type { createWebhookCalls } from './webhook-calls';

const OK = 200;
const FAULT = 500;

export interface WebhookStartsDependencies {
  readonly calls: ReturnType<typeof createWebhookCalls>;
  /** Bytes of a body. */
  readonly mostBytes: number;
  readonly onFault: (error: unknown, runId: number) => void;
}

/** Calls that steps of runs make to webhooks of this service: the same rules as over HTTP, without the way there. */
export function createWebhookStarts({ calls, mostBytes, onFault }: WebhookStartsDependencies) {
  async function parametersOf({ search, body, contentType }: StepCall): Promise<CallParameters> {
    const bytes = Buffer.from(body ?? '');
    if (bytes.length > mostBytes) throw new TooLarge(`The body may have ${mostBytes} bytes at most.`);
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
