import { z } from 'zod';
import type { Route } from '../../../platform/http/route';
import { routesTagged } from '../../../platform/http/route';
import { AnswerId, BodyId, IdParams } from '../../../platform/http/scalars';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowService } from '../workflow.service';
import type { ErrorWorkflows } from './error-workflows';

const route = routesTagged('Workflows');

const ErrorWorkflowBody = z
  .object({ connectionId: BodyId.meta({ description: 'The workflow that is started.' }) })
  .meta({ id: 'ErrorWorkflowBody' });

const ErrorWorkflow = z
  .object({
    connectionId: AnswerId.nullable().meta({
      description: 'The workflow that is started; null: none.',
    }),
    title: z.string().nullable(),
  })
  .meta({ id: 'ErrorWorkflow' });

/** Error workflows have their own route: existing clients do not send the field when they save. */
export function errorWorkflowRoutes({
  workflows,
  errorWorkflows,
}: {
  workflows: WorkflowService;
  errorWorkflows: ErrorWorkflows;
}): Route[] {
  const shown = async ({
    errorWorkflowId,
  }: WorkflowRecord): Promise<z.input<typeof ErrorWorkflow>> => {
    const named = errorWorkflowId === undefined ? null : await workflows.byId(errorWorkflowId);
    return { connectionId: named?._id ?? null, title: named?.title ?? null };
  };
  return [
    route('GET /connection/:id/error-workflow', {
      needs: workflowPolicy.read,
      summary: 'The workflow that is started when a run of this one fails',
      params: IdParams,
      answer: ErrorWorkflow,
      errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ params }) => shown(await workflows.get(params.id)),
    }),
    route('PUT /connection/:id/error-workflow', {
      needs: workflowPolicy.update,
      summary: 'Sets the workflow that is started when a run of this one fails',
      description:
        'It is started when a run FAILED or was INTERRUPTED, except test runs. Its parameters are `workflow` and `title`, `run`, `step` (null when the run failed as a whole), `code` and `message`.',
      params: IdParams,
      body: ErrorWorkflowBody,
      example: { body: { connectionId: 2 } },
      answer: ErrorWorkflow,
      errors: ['CONNECTION_NOT_FOUND', 'ERROR_WORKFLOW_CIRCLE'],
      sentAs: [[['errorWorkflowId'], ['connectionId']]],
      handle: async ({ actor, params, body }) =>
        shown(await errorWorkflows.set(actor, params.id, body.connectionId)),
    }),
    route('DELETE /connection/:id/error-workflow', {
      needs: workflowPolicy.update,
      success: 204,
      summary: 'Removes the error workflow of a workflow',
      params: IdParams,
      errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ actor, params }) => void (await errorWorkflows.set(actor, params.id, null)),
    }),
  ];
}
