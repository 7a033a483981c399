import { z } from 'zod';
import type { Actor } from '../../platform/access/actor';
import { AnswerId, Identifiers, IdParams, NOBODY, QueryFlag } from '../../platform/http/scalars';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import type { Audience } from '../../platform/http/dialects/released-client';
import type { Reply, Route } from '../../platform/http/route';
import { routesTagged } from '../../platform/http/route';
import { CONNECTION_EXAMPLE, ConnectionInput } from './document/connection.schema';
import { workflowPolicy } from './workflow.policy';
import type { WorkflowDeletion } from './saving/workflow-deletion';
import type { WorkflowWithDocument } from './workflow-reader';
import type { ReleasedDocuments } from './released-documents.service';
import type { WorkflowService } from './workflow.service';

const Cleanup = z
  .object({
    removed: z.int().min(0).meta({ description: 'Number of removed workflows.' }),
    skippedRunning: z
      .int()
      .min(0)
      .meta({ description: 'Number of workflows kept because a run executes them.' }),
    connectionIds: z.array(AnswerId).meta({ description: 'Ids of the removed workflows.' }),
  })
  .meta({ id: 'TestCleanup' });

const Variable = z.object({ name: z.string(), type: z.string() }).meta({ id: 'WebhookVariable' });

const route = routesTagged('Workflows');

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

const workflowRouteContext = (
  {
    workflows,
    workflowDeletion,
    releasedDocuments,
  }: {
    workflows: WorkflowService;
    workflowDeletion: WorkflowDeletion;
    releasedDocuments: ReleasedDocuments;
  },
  { workflows: shown, exists, requests }: Presenters,
) => {
  const reply = async (
    actor: Actor,
    workflow: WorkflowWithDocument,
    audience: Audience,
    location?: string,
  ): Promise<Reply> =>
    recordReply(
      await shown.one(workflow, audience, releasedDocuments.forEditor(actor)),
      workflow.record,
      location,
    );
  return { shown, workflows, reply, releasedDocuments, exists, requests, workflowDeletion };
};
type WorkflowRouteContext = ReturnType<typeof workflowRouteContext>;

const postConnection = ({ shown, workflows, reply }: WorkflowRouteContext): Route =>
  route('POST /connection', {
    needs: workflowPolicy.create,
    success: 201,
    summary: 'Saves a new workflow',
    description: 'Fields that the service does not know, such as the layout, are kept unchanged.',
    body: ConnectionInput,
    example: { body: CONNECTION_EXAMPLE },
    bodyLimit: 'workflow',
    invalidAs: 'WORKFLOW_INVALID',
    answer: shown.one.answer,
    errors: [...NOT_SAVED, ...shown.saveErrors],
    statuses: IN_BODY,
    record: 'shown',
    handle: async ({ actor, body, audience }) => {
      const saved = await workflows.save(actor, null, shown.content(body, audience));
      return reply(
        actor,
        saved,
        audience,
        `${audience.baseUrl}/api/connection/${saved.record._id}`,
      );
    },
  });

const getConnectionAll = ({ shown, workflows, releasedDocuments }: WorkflowRouteContext): Route =>
  route('GET /connection/all', {
    needs: workflowPolicy.read,
    summary: 'All workflows',
    query: z.object({ includeTest: QueryFlag.default(false) }),
    answer: shown.list.answer,
    handle: async ({ actor, query, audience }) =>
      shown.list(workflows.all(actor, query), audience, releasedDocuments),
  });

const getConnectionId = ({ workflows }: WorkflowRouteContext): Route =>
  route('GET /connection/id', {
    needs: workflowPolicy.create,
    success: 201,
    changesOnGet: true,
    summary: 'Saves an empty workflow and returns its id',
    description:
      'For clients that need an id before the first save. The title is `Untitled` with six hexadecimal digits.',
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
  });

const getConnectionCheck = ({ exists, workflows }: WorkflowRouteContext): Route =>
  route('GET /connection/check', {
    needs: workflowPolicy.read,
    summary: 'Checks whether a workflow has this title',
    query: z.object({ name: z.string() }),
    example: { query: { name: 'Tickets' } },
    answer: exists.record.answer,
    handle: async ({ query }) =>
      exists.record(await workflows.titleTaken(query.name), '/api/connection/check'),
  });

const getConnectionCheckByName = ({ requests, exists, workflows }: WorkflowRouteContext): Route =>
  route('GET /connection/check/:name', {
    needs: workflowPolicy.read,
    deprecated: 'GET /connection/check?name={name}',
    summary: 'Checks whether a workflow has this title',
    params: z.object({ name: requests.pathName }),
    example: { params: { name: 'Tickets' } },
    answer: exists.record.answer,
    handle: async ({ params }) =>
      exists.record(
        await workflows.titleTaken(params.name),
        `/api/connection/check/${encodeURIComponent(params.name)}`,
      ),
  });

const getConnectionById = ({ shown, reply, workflows }: WorkflowRouteContext): Route =>
  route('GET /connection/:id', {
    needs: workflowPolicy.read,
    summary: 'One workflow',
    params: IdParams,
    answer: shown.one.answer,
    errors: ['CONNECTION_NOT_FOUND'],
    record: 'shown',
    handle: async ({ actor, params, audience }) =>
      reply(actor, await workflows.getWithDocument(actor, params.id), audience),
  });

const putConnectionById = ({ shown, reply, workflows }: WorkflowRouteContext): Route =>
  route('PUT /connection/:id', {
    needs: workflowPolicy.update,
    summary: 'Replaces a workflow; the previous state is kept as a version',
    params: IdParams,
    body: ConnectionInput,
    example: { body: CONNECTION_EXAMPLE },
    bodyLimit: 'workflow',
    invalidAs: 'WORKFLOW_INVALID',
    answer: shown.one.answer,
    errors: ['CONNECTION_NOT_FOUND', 'CONFLICT', ...NOT_SAVED, ...shown.saveErrors],
    statuses: IN_BODY,
    record: 'changed',
    handle: async ({ actor, params, body, expectedVersion, audience }) =>
      reply(
        actor,
        await workflows.save(actor, params.id, shown.content(body, audience), {
          expectedVersion,
        }),
        audience,
      ),
  });

const deleteConnectionById = ({ workflowDeletion }: WorkflowRouteContext): Route =>
  route('DELETE /connection/:id', {
    needs: workflowPolicy.delete,
    success: 204,
    summary: 'Deletes a workflow with its versions and cancels its runs',
    params: IdParams,
    errors: ['CONNECTION_NOT_FOUND'],
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await workflowDeletion.remove(actor, params.id, expectedVersion)),
  });

const getConnectionWebhookVars = ({ workflows }: WorkflowRouteContext): Route =>
  route('GET /connection/:id/webhook/vars', {
    needs: workflowPolicy.read,
    summary: 'The webhook parameters of a workflow',
    description:
      'Every `${name}` and `${name:type}` in the workflow, in document order, without duplicates. The default type is `string`.',
    params: IdParams,
    answer: z.array(Variable),
    errors: ['CONNECTION_NOT_FOUND'],
    handle: ({ params }) => workflows.webhookVariables(params.id),
  });

const putConnectionListDelete = ({ requests, workflowDeletion }: WorkflowRouteContext): Route =>
  route('PUT /connection/list/delete', {
    servedOnFullDisk: true,
    needs: workflowPolicy.delete,
    success: 204,
    summary: 'Deletes workflows, all or none',
    body: Identifiers,
    example: { body: NOBODY },
    errors: ['CONNECTION_NOT_FOUND'],
    handle: async ({ actor, body }) =>
      requests.deleteListed(body.identifiers, (ids) => workflowDeletion.removeAll(actor, ids)),
  });

const deleteConnectionTest = ({ workflowDeletion }: WorkflowRouteContext): Route =>
  route('DELETE /connection/test', {
    needs: workflowPolicy.delete,
    summary: 'Removes workflows left behind by tests',
    description: 'Keeps those that a run executes.',
    answer: Cleanup,
    handle: async ({ actor }) => workflowDeletion.removeTests(actor),
  });

/** The routes use the documented name `connection`. */
export const workflowRoutes = (
  services: {
    workflows: WorkflowService;
    workflowDeletion: WorkflowDeletion;
    releasedDocuments: ReleasedDocuments;
  },
  presenters: Presenters,
): Route[] => {
  const context = workflowRouteContext(services, presenters);
  return [
    postConnection,
    getConnectionAll,
    getConnectionId,
    getConnectionCheck,
    getConnectionCheckByName,
    getConnectionById,
    putConnectionById,
    deleteConnectionById,
    getConnectionWebhookVars,
    putConnectionListDelete,
    deleteConnectionTest,
  ].map((create) => create(context));
};
