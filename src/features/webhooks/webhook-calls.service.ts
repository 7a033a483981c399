import type { Config } from '../../config/config';
import { holdsRoundedNumber, parameterProblems } from '../../engine';
import { createCallRate } from '../../platform/access/call-rate';
import type { CallRate } from '../../platform/access/call-rate';
import type { Origin } from '../../platform/context';
import type { Core } from '../../platform/core';
import type { RunMarks } from '../../platform/crypto/run-marks';
import {
  BadInput,
  DomainError,
  NotFound,
  TooLarge,
  Unavailable,
} from '../../platform/errors/errors';
import { documentedErrors, failureOf } from '../../platform/http/error-body';
import { queryOf } from '../../platform/http/request-url';
import type { CallingRun, StepCall } from '../runs/execution/run-engine';
import type { RunRecord } from '../runs/run.model';
import type { WorkflowService } from '../workflows/workflow.service';
import { readCallBody } from './call-body';
import { callParameters } from './call-parameters';
import type { CallParameters } from './call-parameters';
import type { ScheduleStarter } from './webhook.ports';
import { webhookNotFound } from './webhook.service';
import type { WebhookService } from './webhook.service';

declare module '../../platform/context' {
  interface Services {
    webhookCalls: WebhookCalls;
  }
}

const OK = 200;
const INTERNAL_ERROR = 500;
/** JSON of no parameters. */
const NO_PARAMETERS = '{}';

interface WebhookCaller {
  /** Position of the started run in a chain of runs that started each other. */
  readonly depth: number;
  /** `traceparent` of the span that the run belongs to. */
  readonly trace?: string;
}

/** Starts schedules by the tokens of their webhooks, for HTTP and for steps of runs. */
export class WebhookCalls {
  private readonly calls: CallRate;
  private readonly wrongTokens: CallRate;

  constructor(
    private readonly deps: {
      readonly core: Pick<Core, 'clock' | 'log'>;
      readonly limits: Config['limits'];
      readonly webhooks: WebhookService;
      readonly marks: RunMarks;
      readonly scheduleRuns: ScheduleStarter;
      readonly workflows: WorkflowService;
    },
  ) {
    const { core, limits } = deps;
    this.calls = createCallRate(
      core.clock,
      limits.webhookCalls,
      'The webhook is called too often.',
    );
    this.wrongTokens = createCallRate(
      core.clock,
      limits.webhookGuesses,
      'Too many webhooks that do not exist were called.',
    );
  }

  /**
   * Admits a call before its body is read. Wrong tokens never block a valid one: many users may
   * share an address.
   * @param caller key under which wrong tokens are counted
   * @throws RateLimited TOO_MANY_CALLS of this webhook, or of this caller with wrong tokens
   * @throws NotFound    WEBHOOK_NOT_FOUND
   */
  async admit(token: string, caller: string): Promise<void> {
    const record = await this.deps.webhooks.byToken(token);
    if (record) return this.calls.take(String(record._id));
    this.wrongTokens.take(caller);
    throw webhookNotFound();
  }

  /**
   * Starts the schedule of a webhook, enabled or not, without an actor. Resolves as soon as the run
   * is queued.
   * @param caller what the call is a part of
   * @throws NotFound    WEBHOOK_NOT_FOUND
   * @throws BadInput    WEBHOOK_PARAMETER_INVALID
   * @throws TooLarge    if the parameters are too large
   * @throws Unavailable if the service is stopping or too many runs are queued; exposes only the
   * retry time
   */
  async call(token: string, parameters: CallParameters, caller: WebhookCaller): Promise<RunRecord> {
    const { webhooks, scheduleRuns } = this.deps;
    // Check again: the webhook may have been revoked while the body was received.
    const record = await webhooks.byToken(token);
    const schedule = record && (await webhooks.scheduleOf(record));
    if (!schedule) throw webhookNotFound();
    try {
      await this.checkParameters(schedule.workflowId, parameters);
      return await scheduleRuns.fire(schedule._id, {
        trigger: 'WEBHOOK',
        // Store no parameters: most calls only signal that something happened.
        parameters: parameters.text === NO_PARAMETERS ? undefined : parameters.text,
        actor: null,
        ...caller,
      });
    } catch (error) {
      // The schedule or its workflow was deleted: the caller need not know that it existed.
      if (error instanceof NotFound) throw webhookNotFound();
      throw error instanceof Unavailable ? new Unavailable(undefined, error.retryAfter) : error;
    }
  }

  /** The caller of a request, which may be another run. */
  callerOf({ runMark, trace }: Pick<Origin, 'runMark' | 'trace'>): WebhookCaller {
    return { depth: (this.deps.marks.read(runMark)?.depth ?? 0) + 1, trace };
  }

  /**
   * Performs a call that a step makes to a webhook of this service: the same rules as over HTTP,
   * without a request. Never rejects. Resolves with the status that HTTP would return, or null if
   * the address is not of this service and no webhook here has the token.
   */
  async startFromRun(call: StepCall, run: CallingRun): Promise<number | null> {
    try {
      if (call.isElsewhere && (await this.deps.webhooks.byToken(call.token)) === null) return null;
      await this.admit(call.token, `workflow ${run.workflowId}`);
      await this.call(call.token, await this.parametersOf(call), {
        depth: run.depth + 1,
        trace: run.trace,
      });
      return OK;
    } catch (error) {
      if (error instanceof DomainError) return documentedErrors.status(failureOf(error));
      this.deps.core.log.error({ err: error, runId: run.runId }, 'a webhook call of a run failed');
      return INTERNAL_ERROR;
    }
  }

  private async parametersOf({ search, body, contentType }: StepCall): Promise<CallParameters> {
    const bytes = Buffer.from(body ?? '');
    const maxBytes = this.deps.limits.jsonBytes;
    if (bytes.length > maxBytes) throw new TooLarge(`The body may have at most ${maxBytes} bytes.`);
    return callParameters(queryOf(search), await readCallBody(bytes, contentType));
  }

  /** @throws BadInput WEBHOOK_PARAMETER_INVALID with all problems */
  private async checkParameters(
    workflowId: number,
    { text, values }: CallParameters,
  ): Promise<void> {
    if (holdsRoundedNumber(text))
      throw new BadInput(
        'WEBHOOK_PARAMETER_INVALID',
        'A number in the parameters has too many digits or is too large. Send it as a string.',
      );
    const variables = await this.deps.workflows.webhookVariables(workflowId);
    const problems = parameterProblems(
      variables.map(({ name, type }) => `\${${name}:${type}}`),
      values,
    );
    if (problems.length === 0) return;
    throw new BadInput('WEBHOOK_PARAMETER_INVALID', 'The parameters are not valid.', {
      problems: problems.map(({ name, message }) => ({
        code: 'WEBHOOK_PARAMETER_INVALID',
        path: [name],
        message,
      })),
    });
  }
}
