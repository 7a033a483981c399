import { z } from 'zod';
import type { Clock } from '../../platform/clock/clock';
import type { Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { IdParams, QueryFlag } from '../../platform/http/scalars';
import { ConnectionAnswer, ConnectionInput } from './connection.schema';
import { workflowPolicy } from './workflow.policy';
import { presentExists, presentWorkflow } from './workflow.presenter';
import type { WorkflowService } from './workflow.service';

const TAG = 'connection';

const ExistsAnswer = z.object({
  timestamp: z.string(),
  status: z.literal(200),
  error: z.literal('OK'),
  message: z.enum(['EXISTS', 'NOT_EXISTS']),
  detail: z.enum(['EXISTS', 'NOT_EXISTS']),
  path: z.string(),
}).meta({ id: 'TitleExists' });

/** Workflows over REST, under their documented name. */
export function workflowRoutes({ workflows, clock }: { workflows: WorkflowService; clock: Clock }): Route[] {
  return [
    route({
      method: 'post', path: '/connection', needs: workflowPolicy.create, tag: TAG, success: 201,
      summary: 'Saves a new workflow',
      description: 'Fields the service does not know, the layout among them, are kept as they came.',
      body: ConnectionInput, bodyLimit: 'workflow', invalidAs: 'WORKFLOW_INVALID', answer: ConnectionAnswer,
      handle: async ({ actor, body }) => presentWorkflow(await workflows.create(actor, body)),
    }),
    route({
      method: 'get', path: '/connection/all', needs: workflowPolicy.read, tag: TAG, success: 200,
      summary: 'All workflows',
      query: z.object({ includeTest: QueryFlag.default(false) }),
      answer: z.array(ConnectionAnswer),
      handle: async ({ query }) => (await workflows.all(query)).map(presentWorkflow),
    }),
    route({
      method: 'get', path: '/connection/check', needs: workflowPolicy.read, tag: TAG, success: 200,
      summary: 'Is the title of a workflow taken?',
      query: z.object({ name: z.string() }), answer: ExistsAnswer,
      handle: async ({ query, origin }) => presentExists(await workflows.titleTaken(query.name), `${origin.baseUrl}/api/connection/check`, clock.now()),
    }),
    route({
      method: 'get', path: '/connection/check/:name', needs: workflowPolicy.read, tag: TAG, success: 200, deprecated: true,
      summary: 'Is the title of a workflow taken? Use /connection/check?name=',
      params: z.object({ name: z.string() }), answer: ExistsAnswer,
      handle: async ({ params, origin }) => presentExists(
        await workflows.titleTaken(params.name), `${origin.baseUrl}/api/connection/check/${encodeURIComponent(params.name)}`, clock.now()),
    }),
    route({
      method: 'get', path: '/connection/:id', needs: workflowPolicy.read, tag: TAG, success: 200,
      summary: 'One workflow', params: IdParams, answer: ConnectionAnswer,
      handle: async ({ params }) => presentWorkflow(await workflows.withDocument(await workflows.byId(params.id))),
    }),
    route({
      method: 'put', path: '/connection/:id', needs: workflowPolicy.update, tag: TAG, success: 200,
      summary: 'Replaces a workflow; the state before stays as a version', params: IdParams,
      body: ConnectionInput, bodyLimit: 'workflow', invalidAs: 'WORKFLOW_INVALID', answer: ConnectionAnswer,
      handle: async ({ actor, params, body }) => presentWorkflow(await workflows.update(actor, params.id, body)),
    }),
    route({
      method: 'delete', path: '/connection/:id', needs: workflowPolicy.delete, tag: TAG, success: 204,
      summary: 'Deletes a workflow with its versions and cancels its runs', params: IdParams,
      handle: async ({ actor, params }) => workflows.remove(actor, params.id),
    }),
  ];
}
