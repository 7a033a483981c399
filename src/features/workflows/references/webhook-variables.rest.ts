import { z } from 'zod';
import type { Route } from '../../../platform/http/route';
import { route } from '../../../platform/http/route';
import { IdParams } from '../../../platform/http/scalars';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowService } from '../workflow.service';

const Variable = z.object({ name: z.string(), type: z.string() }).meta({ id: 'WebhookVariable' });

export function webhookVariableRoutes({ workflows }: { workflows: WorkflowService }): Route[] {
  return [
    route({
      method: 'get',
      path: '/connection/:id/webhook/vars',
      needs: workflowPolicy.read,
      tag: 'Workflows',
      success: 200,
      summary: 'The webhook parameters of a workflow',
      description:
        'Every `${name}` and `${name:type}` in it, in its order, each once; without a type it is `string`.',
      params: IdParams,
      answer: z.array(Variable),
      errors: ['CONNECTION_NOT_FOUND'],
      handle: ({ params }) => workflows.webhookVariables(params.id),
    }),
  ];
}
