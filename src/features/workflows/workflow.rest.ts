import { z } from 'zod';
import { ExistsBody, existsBody } from '../../platform/http/exists';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import type { Reply, Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { AnswerId, IdParams, QueryFlag } from '../../platform/http/scalars';
import { CONNECTION_EXAMPLE, ConnectionInput } from './connection.schema';
import { workflowPolicy } from './workflow.policy';
import type { WorkflowWithDocument } from './workflow-reading';
import type { WorkflowService } from './workflow.service';

const tag = 'Workflows';

/** Error codes of a save. */
const NOT_SAVED = [
  'TITLE_INVALID',
  'TITLE_HAS_ALREADY_TAKEN',
  'OPERATOR_EXPRESSION_IS_EMPTY',
] as const;
/**
 * These errors are about the content of a request, not its URL, so their status is 400 instead of
 * 404.
 */
export const IN_STEP = { AGGREGATOR_NOT_FOUND: 400, CONNECTOR_NOT_FOUND: 400 } as const;
export const IN_BODY = { ...IN_STEP, CATEGORY_NOT_FOUND: 400 } as const;

/** The routes use the documented name `connection`. */
export function workflowRoutes(
  { workflows }: { workflows: WorkflowService },
  { workflows: shown }: Presenters,
): Route[] {
  const reply = (workflow: WorkflowWithDocument, location?: string): Reply =>
    recordReply(shown.one(workflow), workflow.record, location);
  return [
    route({
      method: 'post',
      path: '/connection',
      needs: workflowPolicy.create,
      tag,
      success: 201,
      summary: 'Saves a new workflow',
      description:
        'Fields the service does not know, the layout among them, are kept as they came.',
      body: ConnectionInput,
      example: { body: CONNECTION_EXAMPLE },
      bodyLimit: 'workflow',
      invalidAs: 'WORKFLOW_INVALID',
      answer: shown.one.answer,
      errors: NOT_SAVED,
      statuses: IN_BODY,
      record: 'shown',
      handle: async ({ actor, body, origin }) => {
        const saved = await workflows.save(actor, null, { document: body });
        return reply(saved, `${origin.baseUrl}/api/connection/${saved.record._id}`);
      },
    }),
    route({
      method: 'get',
      path: '/connection/all',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      summary: 'All workflows',
      query: z.object({ includeTest: QueryFlag.default(false) }),
      answer: shown.list.answer,
      handle: async ({ actor, query }) => shown.list(workflows.all(actor, query)),
    }),
    route({
      method: 'get',
      path: '/connection/id',
      needs: workflowPolicy.create,
      tag,
      success: 201,
      changesOnGet: true,
      summary: 'Saves an empty workflow and answers its id',
      description:
        'For clients that want an id before there is anything to save. Its title is `Untitled` with six hexadecimal digits.',
      answer: z.object({ id: AnswerId }).meta({ id: 'NewConnectionId' }),
      record: 'shown',
      handle: async ({ actor, origin }) => {
        const record = await workflows.saveDraft(actor);
        return recordReply(
          { id: record._id },
          record,
          `${origin.baseUrl}/api/connection/${record._id}`,
        );
      },
    }),
    route({
      method: 'get',
      path: '/connection/check',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      summary: 'Is the title of a workflow taken?',
      query: z.object({ name: z.string() }),
      example: { query: { name: 'Tickets' } },
      answer: ExistsBody,
      handle: async ({ query }) =>
        existsBody(await workflows.titleTaken(query.name), '/api/connection/check'),
    }),
    route({
      method: 'get',
      path: '/connection/check/:name',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      deprecated: 'GET /connection/check?name={name}',
      summary: 'Is the title of a workflow taken?',
      params: z.object({ name: z.string() }),
      example: { params: { name: 'Tickets' } },
      answer: ExistsBody,
      handle: async ({ params }) =>
        existsBody(
          await workflows.titleTaken(params.name),
          `/api/connection/check/${encodeURIComponent(params.name)}`,
        ),
    }),
    route({
      method: 'get',
      path: '/connection/:id',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      summary: 'One workflow',
      params: IdParams,
      answer: shown.one.answer,
      errors: ['CONNECTION_NOT_FOUND'],
      record: 'shown',
      handle: async ({ actor, params }) => reply(await workflows.getWithDocument(actor, params.id)),
    }),
    route({
      method: 'put',
      path: '/connection/:id',
      needs: workflowPolicy.update,
      tag,
      success: 200,
      summary: 'Replaces a workflow; the state before stays as a version',
      params: IdParams,
      body: ConnectionInput,
      example: { body: CONNECTION_EXAMPLE },
      bodyLimit: 'workflow',
      invalidAs: 'WORKFLOW_INVALID',
      answer: shown.one.answer,
      errors: ['CONNECTION_NOT_FOUND', 'CONFLICT', ...NOT_SAVED],
      statuses: IN_BODY,
      record: 'changed',
      handle: async ({ actor, params, body, expectedVersion }) =>
        reply(await workflows.save(actor, params.id, { document: body }, { expectedVersion })),
    }),
    route({
      method: 'delete',
      path: '/connection/:id',
      needs: workflowPolicy.delete,
      tag,
      success: 204,
      summary: 'Deletes a workflow with its versions and cancels its runs',
      params: IdParams,
      errors: ['CONNECTION_NOT_FOUND'],
      record: 'deleted',
      handle: async ({ actor, params, expectedVersion }) =>
        void (await workflows.remove(actor, params.id, expectedVersion)),
    }),
  ];
}
