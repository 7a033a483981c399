import { z } from 'zod';
import type { Presenters } from '../../platform/http/presenters';
import type { Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { CONNECTION_EXAMPLE, ConnectionInput } from '../workflows/connection.schema';
import { runPolicy } from './run.policy';
import type { RunService } from './run.service';

/** Runs over REST. */
export function runRoutes({ runs }: { runs: RunService }, { runs: shown }: Presenters): Route[] {
  return [
    route({
      method: 'post', path: '/connection/execution/test', needs: runPolicy.start, tag: 'Runs', success: 200,
      summary: 'Runs a workflow as a test, as it was sent, without saving it',
      description: 'Answers as soon as the run is queued. Watch it with the subscription `testRunEvents(runId, afterSequence: 0)`.',
      query: z.object({ channelId: z.string().optional().meta({ description: 'Taken and not used yet.' }) }),
      body: ConnectionInput, example: { body: CONNECTION_EXAMPLE }, bodyLimit: 'workflow', invalidAs: 'WORKFLOW_INVALID', answer: shown.testStart.answer,
      errors: ['TITLE_INVALID', 'OPERATOR_EXPRESSION_IS_EMPTY'],
      handle: async ({ actor, body }) => {
        const { run, document } = await runs.testContent(actor, { document: body });
        return shown.testStart(run, document);
      },
    }),
  ];
}
