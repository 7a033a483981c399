import type { Presenters } from '../../../platform/http/presenters';
import { recordReply } from '../../../platform/http/record-version';
import type { Reply, Route, RouteRequest } from '../../../platform/http/route';
import { route } from '../../../platform/http/route';
import { IdParams } from '../../../platform/http/scalars';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowService } from '../workflow.service';

export function undoRoutes(
  { workflows }: { workflows: WorkflowService },
  { workflows: shown }: Presenters,
): Route[] {
  const common = {
    path: '/connection/:id/undo',
    needs: workflowPolicy.update,
    tag: 'Workflows',
    success: 200,
    params: IdParams,
    description:
      'Undoes the last save of a workflow that was not undone; where there is none, the workflow is answered as it is. An undo is a save, and is not undone itself.',
    answer: shown.one.answer,
    handle: async ({
      actor,
      params,
      expectedVersion,
    }: RouteRequest<{ id: number }, unknown, unknown>): Promise<Reply> => {
      const workflow = await workflows.undo(actor, params.id, expectedVersion);
      return recordReply(shown.one(workflow), workflow.record);
    },
  } as const;
  return [
    route({
      ...common,
      method: 'post',
      summary: 'Undoes the last save of a workflow',
      errors: ['CONNECTION_NOT_FOUND', 'TITLE_HAS_ALREADY_TAKEN'],
      record: 'changed',
    }),
    route({
      ...common,
      method: 'get',
      summary: 'Undoes the last save of a workflow, as the released line does',
      errors: ['CONNECTION_NOT_FOUND', 'TITLE_HAS_ALREADY_TAKEN'],
      record: 'shown',
      changesOnGet: true,
    }),
  ];
}
