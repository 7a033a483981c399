import { z } from 'zod';
import type { Presenters } from '../../../platform/http/presenters';
import type { Route } from '../../../platform/http/route';
import { route } from '../../../platform/http/route';
import { BodyId, QueryFlag } from '../../../platform/http/scalars';
import { MOST_AT_ONCE } from '../../../platform/store/records';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowService } from '../workflow.service';

const tag = 'Workflows';

const query = z.object({ includeTest: QueryFlag.default(false) });

const Ids = z.array(BodyId).max(MOST_AT_ONCE);
const Asked = z
  .union([z.object({ identifiers: Ids }), Ids], {
    error: `Expected { "identifiers": [ids] } or a list of ids, ${MOST_AT_ONCE} at most.`,
  })
  .meta({ id: 'ConnectionIdentifiers' });

/** Lists of workflows without their documents. */
export function workflowMetadataRoutes(
  { workflows }: { workflows: WorkflowService },
  { workflowMetadata: shown }: Presenters,
): Route[] {
  return [
    route({
      method: 'get',
      path: '/connection/all/meta',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      summary: 'All workflows without their steps',
      query,
      answer: shown.list.answer,
      handle: async ({ query: asked }) => shown.list(workflows.metadata(asked)),
    }),
    route({
      method: 'get',
      path: '/connection/dependency/:invokerName',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      summary: 'Workflows that call a connector of an invoker',
      description: 'Also those that name the invoker themselves, as imported ones do.',
      params: z.object({ invokerName: z.string() }),
      query,
      example: { params: { invokerName: 'rest' } },
      answer: shown.list.answer,
      handle: async ({ params, query: asked }) =>
        shown.list(await workflows.metadataByInvoker(params.invokerName, asked)),
    }),
    route({
      method: 'post',
      path: '/connection/all/by-ids',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      summary: 'Some workflows without their steps',
      description: 'In the order asked for; those that do not exist are left out.',
      query,
      body: Asked,
      example: { body: { identifiers: [1, 2] } },
      answer: shown.list.answer,
      handle: async ({ body, query: asked }) =>
        shown.list(workflows.metadataOf(Array.isArray(body) ? body : body.identifiers, asked)),
    }),
  ];
}
