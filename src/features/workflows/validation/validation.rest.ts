import type { Presenters } from '../../../platform/http/presenters';
import type { Route } from '../../../platform/http/route';
import { route } from '../../../platform/http/route';
import { CONNECTION_EXAMPLE, ConnectionInput } from '../connection.schema';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowService } from '../workflow.service';

export function validationRoutes(
  { workflows }: { workflows: WorkflowService },
  { workflowValidation: shown }: Presenters,
): Route[] {
  return [
    route({
      method: 'post',
      path: '/connection/validate',
      needs: workflowPolicy.read,
      tag: 'Workflows',
      success: 200,
      summary: 'Everything that is wrong with a workflow, step by step',
      description:
        'Of the 5.0 or the 4.x shape; of the latter the indexes are those it has when it is converted. Nothing is saved.',
      body: ConnectionInput,
      example: { body: CONNECTION_EXAMPLE },
      bodyLimit: 'workflow',
      invalidAs: 'WORKFLOW_INVALID',
      answer: shown.result.answer,
      handle: async ({ body }) => shown.result(await workflows.validate(body)),
    }),
  ];
}
