import { z } from 'zod';
import type { Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { AnswerId } from '../../platform/http/scalars';
import { CONNECTION_EXAMPLE, ConnectionInput } from '../workflows/connection.schema';
import { runPolicy } from './run.policy';
import { presentTestStart } from './run.presenter';
import type { RunService } from './run.service';

const TestStartAnswer = z.object({
  runId: AnswerId,
  connectionId: AnswerId.meta({ description: 'The hidden workflow that exists while the run does.' }),
  title: z.string(),
  status: z.boolean(),
  debugMode: z.boolean(),
  cronExp: z.string(),
  connection: z.object({
    connectionId: AnswerId,
    title: z.string(),
    description: z.string().nullable(),
    fromConnector: z.looseObject({}),
    toConnector: z.null(),
    fieldBinding: z.array(z.looseObject({})),
  }),
  lastExecution: z.null(),
  webhook: z.null(),
  notification: z.array(z.unknown()),
}).meta({ id: 'TestStart' });

/** Runs over REST. */
export function runRoutes({ runs }: { runs: RunService }): Route[] {
  return [
    route({
      method: 'post', path: '/connection/execution/test', needs: runPolicy.start, tag: 'Runs', success: 200,
      summary: 'Runs a workflow as a test, as it was sent, without saving it',
      description: 'Answers as soon as the run is queued. Watch it with the subscription `testRunEvents(runId, afterSequence: 0)`.',
      query: z.object({ channelId: z.string().optional().meta({ description: 'Taken and not used yet.' }) }),
      body: ConnectionInput, example: { body: CONNECTION_EXAMPLE }, bodyLimit: 'workflow', invalidAs: 'WORKFLOW_INVALID', answer: TestStartAnswer,
      errors: ['TITLE_INVALID', 'OPERATOR_EXPRESSION_IS_EMPTY'],
      handle: async ({ actor, body }) => {
        const { run, document } = await runs.testContent(actor, { document: body });
        return presentTestStart(run, document);
      },
    }),
  ];
}
