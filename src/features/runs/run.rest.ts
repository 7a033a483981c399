import { z } from 'zod';
import type { Presenters } from '../../platform/http/presenters';
import type { Route } from '../../platform/http/route';
import { Reply, route } from '../../platform/http/route';
import { IdParams, QueryFlag } from '../../platform/http/scalars';
import { CONNECTION_EXAMPLE, ConnectionInput } from '../workflows/connection.schema';
import type { RunRecord } from './run.model';
import { runPolicy } from './run.policy';
import { repairRoutes } from './run-repair.rest';
import type { RunService } from './run.service';
import { CHANNEL_RULE, isChannel, LONGEST_CHANNEL } from './test-channels';

const ChannelId = z
  .string()
  .refine(isChannel, CHANNEL_RULE)
  .meta({
    description:
      'Where you listen for its events: a name of your choice, which nobody else hears. See the subscription `testChannelEvents`, and for SockJS and STOMP `docs/clients.md`.',
    override: { type: 'string', minLength: 1, maxLength: LONGEST_CHANNEL },
  });

export function runRoutes(
  { runs }: { runs: RunService },
  { runs: shown, schedules: shownSchedules }: Presenters,
): Route[] {
  const execution = (run: RunRecord): unknown =>
    shown.execution(run, runs.logs.isThere(run), runs.waitOf(run));
  return [
    route({
      method: 'post',
      path: '/connection/execution/test',
      needs: runPolicy.start,
      tag: 'Runs',
      success: 200,
      summary: 'Runs a workflow as a test, as it was sent, without saving it',
      description:
        'Answers with the schedule of the test, as soon as its run is queued; both go with its end. One test of a workflow at a time. Watch it with the subscription `testRunEvents(runId, afterSequence: 0)`, or with `testChannelEvents(channelId)`, from before it is started.',
      query: z.object({ channelId: ChannelId.optional() }),
      body: ConnectionInput,
      example: { body: CONNECTION_EXAMPLE },
      bodyLimit: 'workflow',
      invalidAs: 'WORKFLOW_INVALID',
      answer: shownSchedules.one.answer,
      errors: ['TITLE_INVALID', 'CONCURRENT_TEST_IS_FORBIDDEN', 'OPERATOR_EXPRESSION_IS_EMPTY'],
      handle: async ({ actor, query, body, origin }) => {
        const { schedule, document } = await runs.testContent(actor, { document: body }, query);
        return shownSchedules.one(
          { kind: 'test', schedule, workflow: { title: document.title, document } },
          origin.baseUrl,
        );
      },
    }),
    route({
      method: 'post',
      path: '/connection/:id/execution',
      needs: runPolicy.start,
      tag: 'Runs',
      success: 202,
      summary: 'Runs the current version of a workflow',
      description:
        'Answers as soon as the run is queued, with where it is looked at in `Location`. Watch it with the subscription `runEvents(runId, afterSequence: 0)`.',
      params: IdParams,
      query: z.object({
        logging: QueryFlag.default(false).meta({
          description: 'Record requests and responses, secrets masked, in its events.',
        }),
      }),
      answer: shown.execution.answer,
      errors: ['CONNECTION_NOT_FOUND'],
      answerHeaders: { Location: { description: 'Where the run is looked at.' } },
      handle: async ({ actor, params, query, origin }) => {
        const run = await runs.run(actor, params.id, query);
        return new Reply(execution(run), {
          Location: `${origin.baseUrl}/api/execution/${run._id}`,
        });
      },
    }),
    route({
      method: 'get',
      path: '/execution/:id',
      needs: runPolicy.read,
      tag: 'Runs',
      success: 200,
      summary: 'One run',
      description: 'A test is for who started it, and for administrators.',
      params: IdParams,
      answer: shown.execution.answer,
      errors: ['EXECUTION_NOT_FOUND'],
      handle: async ({ actor, params }) => execution(await runs.get(actor, params.id)),
    }),
    route({
      method: 'post',
      path: '/execution/:id/cancel',
      needs: runPolicy.cancel,
      tag: 'Runs',
      success: 200,
      summary: 'Cancels a run that waits or goes on',
      description:
        'Answers the run as it is then: CANCELLED, or still RUNNING when a step takes its time to let go.',
      params: IdParams,
      answer: shown.execution.answer,
      errors: ['EXECUTION_NOT_FOUND', 'EXECUTION_ALREADY_FINISHED'],
      handle: async ({ actor, params }) => execution(await runs.cancel(actor, params.id)),
    }),
    ...repairRoutes(runs, shown),
  ];
}
