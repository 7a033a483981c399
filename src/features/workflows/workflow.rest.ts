import { z } from 'zod';
import { ExistsBody, existsBody } from '../../platform/http/exists';
import type { Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { IdParams, QueryFlag } from '../../platform/http/scalars';
import { CONNECTION_EXAMPLE, ConnectionAnswer, ConnectionInput } from './connection.schema';
import { workflowPolicy } from './workflow.policy';
import { presentWorkflow, presentWorkflows } from './workflow.presenter';
import type { WorkflowService } from './workflow.service';

const tag = 'Workflows';

/** What a save may be refused for. */
const NOT_SAVED = ['TITLE_INVALID', 'TITLE_HAS_ALREADY_TAKEN', 'OPERATOR_EXPRESSION_IS_EMPTY'] as const;

/** Workflows over REST, under their documented name. */
export function workflowRoutes({ workflows }: { workflows: WorkflowService }): Route[] {
  return [
    route({
      method: 'post', path: '/connection', needs: workflowPolicy.create, tag, success: 201,
      summary: 'Saves a new workflow',
      description: 'Fields the service does not know, the layout among them, are kept as they came.',
      body: ConnectionInput, example: { body: CONNECTION_EXAMPLE }, bodyLimit: 'workflow', invalidAs: 'WORKFLOW_INVALID', answer: ConnectionAnswer, errors: NOT_SAVED,
      handle: async ({ actor, body }) => presentWorkflow(await workflows.save(actor, null, { document: body })),
    }),
    route({
      method: 'get', path: '/connection/all', needs: workflowPolicy.read, tag, success: 200,
      summary: 'All workflows',
      query: z.object({ includeTest: QueryFlag.default(false) }),
      answer: z.array(ConnectionAnswer),
      handle: async ({ actor, query }) => presentWorkflows(workflows.all(actor, query)),
    }),
    route({
      method: 'get', path: '/connection/check', needs: workflowPolicy.read, tag, success: 200,
      summary: 'Is the title of a workflow taken?',
      query: z.object({ name: z.string() }), example: { query: { name: 'Tickets' } }, answer: ExistsBody,
      handle: async ({ query }) => existsBody(await workflows.titleTaken(query.name), '/api/connection/check'),
    }),
    route({
      method: 'get', path: '/connection/check/:name', needs: workflowPolicy.read, tag, success: 200, deprecated: true,
      summary: 'Is the title of a workflow taken? Use /connection/check?name=',
      params: z.object({ name: z.string() }), example: { params: { name: 'Tickets' } }, answer: ExistsBody,
      handle: async ({ params }) => existsBody(await workflows.titleTaken(params.name), `/api/connection/check/${encodeURIComponent(params.name)}`),
    }),
    route({
      method: 'get', path: '/connection/:id', needs: workflowPolicy.read, tag, success: 200,
      summary: 'One workflow', params: IdParams, answer: ConnectionAnswer, errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ actor, params }) => presentWorkflow(await workflows.getWithDocument(actor, params.id)),
    }),
    route({
      method: 'put', path: '/connection/:id', needs: workflowPolicy.update, tag, success: 200,
      summary: 'Replaces a workflow; the state before stays as a version', params: IdParams,
      body: ConnectionInput, example: { body: CONNECTION_EXAMPLE }, bodyLimit: 'workflow', invalidAs: 'WORKFLOW_INVALID', answer: ConnectionAnswer,
      errors: ['CONNECTION_NOT_FOUND', ...NOT_SAVED],
      handle: async ({ actor, params, body }) => presentWorkflow(await workflows.save(actor, params.id, { document: body })),
    }),
    route({
      method: 'delete', path: '/connection/:id', needs: workflowPolicy.delete, tag, success: 204,
      summary: 'Deletes a workflow with its versions and cancels its runs', params: IdParams, errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ actor, params }) => void (await workflows.remove(actor, params.id)),
    }),
  ];
}
