import type { RecordedExchange } from '../../engine';
import { z } from 'zod';
import type { Origin, Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { JobAccepted } from '../../platform/http/respond-async';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { BodyId, IdParams, keysOf, QueryFlag } from '../../platform/http/scalars';
import { CONNECTION_EXAMPLE, ConnectionInput } from '../workflows/document/connection.schema';
import { CHANNEL_RULE, isChannel, MAX_CHANNEL } from './events/test-channels.service';
import { RETRY_FROM } from './run-continuation';
import type { RunRecord } from './run.model';
import { runPolicy } from './run.policy';
import { runAudience, RunErrorCodeAnswer } from './run.presenter';

const route = routesTagged('Runs');

const ChannelId = z
  .string()
  .refine(isChannel, CHANNEL_RULE)
  .meta({
    description:
      'Channel for its events: a name that you choose, private to you. See the subscription `testChannelEvents`, and `docs/clients.md` for SockJS and STOMP.',
    override: { type: 'string', minLength: 1, maxLength: MAX_CHANNEL },
  });

/** The same limit as for GraphQL filters. */
const MAX_VALUES = 100;
const Ids = z.array(BodyId).max(MAX_VALUES).nullish();
const Moment = z.int().min(0).max(8.64e15).nullish();

/** Strict: a misspelt condition would be ignored, and far more runs would be retried. */
const ExecutionsRetry = z
  .strictObject({
    executionIds: Ids.meta({ description: 'Ids of runs.' }),
    connectionIds: Ids.meta({ description: 'Ids of workflows.' }),
    schedulerIds: Ids.meta({ description: 'Ids of schedules that started the runs.' }),
    codes: z
      .array(RunErrorCodeAnswer)
      .max(MAX_VALUES)
      .nullish()
      .meta({ description: 'Codes of the errors that ended them.' }),
    from: Moment.meta({
      description: 'Earliest time at which they were queued, milliseconds since 1970.',
    }),
    until: Moment.meta({
      description: 'Latest time at which they were queued, milliseconds since 1970.',
    }),
  })
  .meta({
    id: 'ExecutionsRetry',
    description:
      'Which runs to retry: all given conditions must match, and at least one is required.',
  });

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

type RunServices = Pick<
  Services,
  'runs' | 'testRuns' | 'runRetries' | 'runLogs' | 'runExchanges' | 'loggedRuns'
>;

const runRouteContext = (
  services: RunServices,
  { runs: shown, schedules: shownSchedules }: Presenters,
) => {
  const { runs, testRuns, runRetries, runLogs } = services;
  const execution = (run: RunRecord, exchange: RecordedExchange | null = null): unknown =>
    shown.execution(run, runLogs.isThere(run), runs.waitOf(run), exchange);
  const created = (run: RunRecord, { baseUrl }: Origin): Reply =>
    new Reply(execution(run), { Location: `${baseUrl}/api/execution/${run._id}` });
  return { shownSchedules, testRuns, services, shown, created, runs, execution, runRetries };
};
type RunRouteContext = ReturnType<typeof runRouteContext>;

const postConnectionExecutionTest = ({
  shownSchedules,
  testRuns,
  services,
}: RunRouteContext): Route =>
  route('POST /connection/execution/test', {
    needs: runPolicy.start,
    summary: 'Tests an unsaved workflow',
    description:
      'Returns the temporary schedule of the test when its run is queued; it is removed when the run ends. One test per workflow at a time. Follow it with the subscription `testRunEvents(runId, afterSequence: 0)`, or subscribe to `testChannelEvents(channelId)` before you start it.',
    query: z.object({ channelId: ChannelId.optional() }),
    body: ConnectionInput,
    example: { body: CONNECTION_EXAMPLE },
    bodyLimit: 'workflow',
    invalidAs: 'WORKFLOW_INVALID',
    answer: shownSchedules.one.answer,
    errors: ['TITLE_INVALID', 'CONCURRENT_TEST_IS_FORBIDDEN', 'OPERATOR_EXPRESSION_IS_EMPTY'],
    handle: async ({ actor, query, body, audience }) => {
      const { schedule, document } = await testRuns.startContent(actor, { document: body }, query);
      return shownSchedules.one(
        { kind: 'test', schedule, workflow: { title: document.title, document } },
        runAudience(services, audience),
      );
    },
  });

const postConnectionExecution = ({ shown, created, runs }: RunRouteContext): Route =>
  route('POST /connection/:id/execution', {
    needs: runPolicy.start,
    success: 202,
    summary: 'Runs the current version of a workflow',
    description:
      'Returns when the run is queued, with its URL in `Location`. Follow it with the subscription `runEvents(runId, afterSequence: 0)`.',
    params: IdParams,
    query: z.object({
      logging: QueryFlag.default(false).meta({
        description: 'Whether to record requests and responses in its events, with secrets masked.',
      }),
    }),
    answer: shown.execution.answer,
    errors: ['CONNECTION_NOT_FOUND'],
    answerHeaders: { Location: { description: 'URL of the run.' } },
    handle: async ({ actor, params, query, origin }) => {
      return created(await runs.run(actor, params.id, query), origin);
    },
  });

const getExecutionById = ({ shown, runs, services, execution }: RunRouteContext): Route =>
  route('GET /execution/:id', {
    needs: runPolicy.read,
    summary: 'Returns a run',
    description: 'Tests are visible to the user who started them and to administrators.',
    params: IdParams,
    answer: shown.execution.answer,
    errors: ['EXECUTION_NOT_FOUND'],
    handle: async ({ actor, params }) => {
      const run = await runs.get(actor, params.id);
      const [exchange] = await services.runExchanges.byIds(run.state === 'FAILED' ? [run._id] : []);
      return execution(run, exchange ?? null);
    },
  });

const postExecutionCancel = ({ shown, execution, runs }: RunRouteContext): Route =>
  route('POST /execution/:id/cancel', {
    needs: runPolicy.cancel,
    servedOnFullDisk: true,
    summary: 'Cancels a queued or running run',
    description:
      'Returns the current run: CANCELLED, or still RUNNING while a step takes time to end.',
    params: IdParams,
    answer: shown.execution.answer,
    errors: ['EXECUTION_NOT_FOUND', 'EXECUTION_ALREADY_FINISHED'],
    handle: async ({ actor, params }) => execution(await runs.cancel(actor, params.id)),
  });

const postExecutionRetry = ({ shown, created, runRetries }: RunRouteContext): Route =>
  route('POST /execution/:id/retry', {
    needs: runPolicy.start,
    success: 202,
    summary: 'Retries a run',
    description:
      'Runs the same version with the same parameters, and the current credentials and secrets. Returns the new run when it is queued, with its URL in `Location`.',
    params: IdParams,
    query: z.object({
      logging: QueryFlag.optional().meta({
        description:
          'Whether to record requests and responses in its events. Missing: as the run that is retried.',
      }),
      from: z.enum(keysOf(RETRY_FROM)).optional().meta({
        description:
          'Where it begins; one of `retryFrom` of the run. `START`: every step is executed again (default). `STEP`: at the step that failed, with the answers of the steps before it. `AFTER_STEP`: after the open step, as if it had succeeded with an empty answer.',
      }),
    }),
    answer: shown.execution.answer,
    errors: [
      'EXECUTION_NOT_FOUND',
      'EXECUTION_NOT_FINISHED',
      'RUN_NOT_REPEATABLE',
      'CONCURRENT_TEST_IS_FORBIDDEN',
    ],
    answerHeaders: { Location: { description: 'URL of the new run.' } },
    handle: async ({ actor, params, query, origin }) => {
      return created(await runRetries.retry(actor, params.id, query), origin);
    },
  });

const postExecutionRetryAll = ({ runRetries }: RunRouteContext): Route =>
  route('POST /execution/retry', {
    needs: runPolicy.start,
    success: 202,
    summary: 'Retries failed and interrupted runs, all or none',
    description:
      'Works in a background job: of the runs that match, without tests, runs with a retry that succeeded or is unfinished, and runs that cannot be repeated, the oldest 1,000. The result of the job is `{ runIds, notRepeatable, more }`: the new runs, the oldest 1,000 of the runs that cannot be repeated, and whether there are more runs.',
    body: ExecutionsRetry,
    example: { body: { executionIds: [] } },
    answer: JobAccepted,
    answerHeaders: { Location: { description: 'URL of the job.' } },
    handle: async ({ actor, body, origin }) => {
      const { _id: jobId } = await runRetries.retryAll(actor, queryOf(body));
      return new Reply({ jobId }, { Location: `${origin.baseUrl}/api/job/${jobId}` });
    },
  });

export const runRoutes = (services: RunServices, presenters: Presenters): Route[] => {
  const context = runRouteContext(services, presenters);
  return [
    postConnectionExecutionTest,
    postConnectionExecution,
    getExecutionById,
    postExecutionCancel,
    postExecutionRetry,
    postExecutionRetryAll,
  ].map((create) => create(context));
};
