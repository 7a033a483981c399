import type { Config } from '../../config/config';
import { holdsRoundedNumber, parameterProblems } from '../../engine';
import { createCallRate } from '../../platform/access/call-rate';
import type { Clock } from '../../platform/clock/clock';
import { BadInput, NotFound, Unavailable } from '../../platform/errors/errors';
import type { RunRecord } from '../runs/run.model';
import type { ScheduleService } from '../schedules/schedule.service';
import type { UserRecords } from '../users/user-records';
import type { WorkflowService } from '../workflows/workflow.service';
import type { CallParameters } from './call-parameters';
import type { WebhookRecord } from './webhook.model';
import type { WebhookRecords } from './webhook-records';
import { webhookNotFound } from './webhook.rules';

export interface WebhookCallsDependencies {
  readonly clock: Clock;
  readonly config: Pick<Config, 'limits'>;
  readonly records: Pick<WebhookRecords, 'byToken'>;
  readonly schedules: Pick<ScheduleService, 'byId' | 'fire'>;
  readonly users: Pick<UserRecords, 'byId'>;
  readonly workflows: Pick<WorkflowService, 'webhookVariables'>;
}

/** JSON of no parameters. */
const NOTHING = '{}';

export function createWebhookCalls({
  clock,
  config: { limits },
  records,
  schedules,
  users,
  workflows,
}: WebhookCallsDependencies) {
  const calls = createCallRate(clock, limits.webhookCalls, 'The webhook is called too often.');
  const guesses = createCallRate(
    clock,
    limits.webhookGuesses,
    'Too many webhooks that are not there were called.',
  );

  /** Returns null if the webhook is missing or its creator has been deleted. */
  async function valid(token: string): Promise<WebhookRecord | null> {
    const record = await records.byToken(token);
    return record && (await users.byId(record.createdBy.userId)) ? record : null;
  }

  /** @throws BadInput WEBHOOK_PARAMETER_INVALID with all problems */
  async function judge(workflowId: number, { text, values }: CallParameters): Promise<void> {
    if (holdsRoundedNumber(text))
      throw new BadInput(
        'WEBHOOK_PARAMETER_INVALID',
        'A number in the parameters has more digits than can be kept, or is too large. Send it as text.',
      );
    const variables = await workflows.webhookVariables(workflowId);
    const problems = parameterProblems(
      variables.map(({ name, type }) => `\${${name}:${type}}`),
      values,
    );
    if (problems.length === 0) return;
    throw new BadInput('WEBHOOK_PARAMETER_INVALID', 'The parameters do not fit.', {
      problems: problems.map(({ name, message }) => ({
        code: 'WEBHOOK_PARAMETER_INVALID',
        path: [name],
        message,
      })),
    });
  }

  return {
    /** Whether the token belongs to a valid webhook of this service. */
    isOurs: async (token: string): Promise<boolean> => (await valid(token)) !== null,

    /**
     * Admits a call before its body is read. Wrong tokens never block a valid one: many users may
     * share an address.
     * @param caller key under which wrong tokens are counted
     * @throws RateLimited TOO_MANY_CALLS of this webhook, or of this caller with wrong tokens
     * @throws NotFound    WEBHOOK_NOT_FOUND
     */
    async admit(token: string, caller: string): Promise<void> {
      const record = await valid(token);
      if (record) return calls.take(String(record._id));
      guesses.take(caller);
      throw webhookNotFound();
    },

    /**
     * Starts the schedule of a webhook, enabled or not, without an actor. Resolves as soon as the
     * run is queued.
     * @param depth position of the run in a chain of runs that started each other
     * @throws NotFound    WEBHOOK_NOT_FOUND
     * @throws BadInput    WEBHOOK_PARAMETER_INVALID
     * @throws TooLarge    if the parameters are too large
     * @throws Unavailable if the service is stopping or too many runs are queued; exposes only the
     * retry time
     */
    async call(token: string, parameters: CallParameters, depth: number): Promise<RunRecord> {
      // Check again: the webhook may have been revoked while the body was received.
      const schedule = await valid(token).then(
        (record) => record && schedules.byId(record.scheduleId),
      );
      if (!schedule) throw webhookNotFound();
      try {
        await judge(schedule.workflowId, parameters);
        // Store no parameters: most calls only signal that something happened.
        const given = parameters.text === NOTHING ? undefined : parameters.text;
        return await schedules.fire(schedule._id, {
          trigger: 'WEBHOOK',
          parameters: given,
          actor: null,
          depth,
        });
      } catch (error) {
        // The schedule or its workflow was deleted: the caller need not know that it existed.
        if (error instanceof NotFound) throw webhookNotFound();
        throw error instanceof Unavailable ? new Unavailable(undefined, error.retryAfter) : error;
      }
    },
  };
}
