import { z } from 'zod';
import type { Route } from '../../platform/http/route';
import { Reply, route } from '../../platform/http/route';
import { JobAccepted } from '../../platform/http/respond-async';
import { BodyId, IdParams } from '../../platform/http/scalars';
import { RunErrorCodeAnswer } from './run.presenter';
import type { RunPresenters } from './run.presenter';
import { runPolicy } from './run.policy';
import type { RunService } from './run.service';

/** The same limit as for GraphQL filters. */
const MOST_VALUES = 100;
const Ids = z.array(BodyId).max(MOST_VALUES).nullish();
const Moment = z.int().min(0).max(8.64e15).nullish();

/** Strict: a misspelt condition would be ignored, and far more runs would be retried. */
const ExecutionsRetry = z
  .strictObject({
    executionIds: Ids.meta({ description: 'These runs.' }),
    connectionIds: Ids.meta({ description: 'Of these workflows.' }),
    schedulerIds: Ids.meta({ description: 'Started by these schedules.' }),
    codes: z
      .array(RunErrorCodeAnswer)
      .max(MOST_VALUES)
      .nullish()
      .meta({ description: 'Codes of the errors that ended them.' }),
    from: Moment.meta({ description: 'Asked for then or later, milliseconds since 1970.' }),
    until: Moment.meta({ description: 'Asked for then or earlier, milliseconds since 1970.' }),
  })
  .meta({
    id: 'ExecutionsRetry',
    description: 'Which runs; all that are given must hold, and one is needed.',
  });

/** As a MongoDB filter. */
function queryOf({
  executionIds,
  connectionIds,
  schedulerIds,
  codes,
  from,
  until,
}: z.output<typeof ExecutionsRetry>): Record<string, unknown> {
  const among = (path: string, values: readonly unknown[] | null | undefined): object =>
    values ? { [path]: { $in: values } } : {};
  const queuedAt = {
    ...(from != null && { $gte: new Date(from) }),
    ...(until != null && { $lte: new Date(until) }),
  };
  return {
    ...among('_id', executionIds),
    ...among('workflowId', connectionIds),
    ...among('scheduleId', schedulerIds),
    ...among('error.code', codes),
    ...(Object.keys(queuedAt).length > 0 && { queuedAt }),
  };
}

export function repairRoutes(runs: RunService, shown: RunPresenters): Route[] {
  return [
    route({
      method: 'post',
      path: '/execution/:id/retry',
      needs: runPolicy.start,
      tag: 'Runs',
      success: 202,
      summary: 'Runs again what a run has executed',
      description:
        'The same version with the same parameters, and with credentials and secrets as they are now. Answers the new run as soon as it is queued, with where it is looked at in `Location`.',
      params: IdParams,
      answer: shown.execution.answer,
      errors: [
        'EXECUTION_NOT_FOUND',
        'EXECUTION_NOT_FINISHED',
        'RUN_NOT_REPEATABLE',
        'CONCURRENT_TEST_IS_FORBIDDEN',
      ],
      answerHeaders: { Location: { description: 'Where the new run is looked at.' } },
      handle: async ({ actor, params, origin }) => {
        const run = await runs.retry(actor, params.id);
        return new Reply(shown.execution(run, runs.logs.isThere(run), runs.waitOf(run)), {
          Location: `${origin.baseUrl}/api/execution/${run._id}`,
        });
      },
    }),
    route({
      method: 'post',
      path: '/execution/retry',
      needs: runPolicy.start,
      tag: 'Runs',
      success: 202,
      summary: 'Runs again what failed or was interrupted, all or none',
      description:
        'In the background: of the runs that are meant, tests apart, and that no retry has mended or may and of which nothing is gone, the oldest 1,000. The result of the job is `{ runIds, notRepeatable, more }`: the new runs, the oldest 1,000 of those of which something is gone, and whether there are more.',
      body: ExecutionsRetry,
      example: { body: { executionIds: [] } },
      answer: JobAccepted,
      answerHeaders: { Location: { description: 'Where the job is asked.' } },
      handle: async ({ actor, body, origin }) => {
        const { _id: jobId } = await runs.retryAll(actor, queryOf(body));
        return new Reply({ jobId }, { Location: `${origin.baseUrl}/api/job/${jobId}` });
      },
    }),
  ];
}
