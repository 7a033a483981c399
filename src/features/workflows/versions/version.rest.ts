import { z } from 'zod';
import type { Presenters } from '../../../platform/http/presenters';
import { recordReply } from '../../../platform/http/record-version';
import type { Route } from '../../../platform/http/route';
import { route } from '../../../platform/http/route';
import { IdParams } from '../../../platform/http/scalars';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowService } from '../workflow.service';

const tag = 'Workflow versions';

const OfVersion = IdParams.extend({ snapshotId: z.string() });
const NOT_THERE = ['CONNECTION_NOT_FOUND', 'VERSION_NOT_FOUND'] as const;
const VersionComment = z
  .object({ comment: z.string().nullable().meta({ description: '500 characters at most.' }) })
  .meta({ id: 'ConnectionVersionComment' });

export function versionRoutes(
  { workflows }: { workflows: WorkflowService },
  { workflows: shownWorkflows, workflowVersions: shown }: Presenters,
): Route[] {
  return [
    route({
      method: 'get',
      path: '/connection/:id/versions',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      summary: 'What the saves of a workflow left behind, the newest first',
      params: IdParams,
      answer: shown.list.answer,
      errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ params }) => shown.list(await workflows.versionList(params.id)),
    }),
    route({
      method: 'get',
      path: '/connection/:id/version/:snapshotId',
      needs: workflowPolicy.read,
      tag,
      success: 200,
      summary: 'A workflow as it was in a version',
      params: OfVersion,
      answer: shown.document.answer,
      errors: NOT_THERE,
      handle: async ({ actor, params }) =>
        shown.document(await workflows.versionWithDocument(actor, params.id, params.snapshotId)),
    }),
    route({
      method: 'put',
      path: '/connection/:id/version/:snapshotId',
      needs: workflowPolicy.update,
      tag,
      success: 200,
      summary: 'Says what is remarkable about a version',
      params: OfVersion,
      body: VersionComment,
      example: { body: { comment: 'Before the move' } },
      answer: shown.one.answer,
      errors: NOT_THERE,
      handle: async ({ actor, params, body }) =>
        shown.one(
          await workflows.commentVersion(actor, params.id, params.snapshotId, body.comment),
        ),
    }),
    route({
      method: 'delete',
      path: '/connection/:id/version/:snapshotId',
      needs: workflowPolicy.delete,
      tag,
      success: 204,
      summary: 'Deletes a version that is neither the current one nor executed by a run',
      params: OfVersion,
      errors: [...NOT_THERE, 'VERSION_IN_USE'],
      handle: async ({ actor, params }) =>
        void (await workflows.removeVersion(actor, params.id, params.snapshotId)),
    }),
    route({
      method: 'put',
      path: '/connection/:id/switch-version/:snapshotId',
      needs: workflowPolicy.update,
      tag,
      success: 200,
      summary: 'Makes an earlier version the current one',
      params: OfVersion,
      description:
        'No version is written: the workflow is what it was then, its `version` counts on, and what it was before stays as a version.',
      answer: shownWorkflows.one.answer,
      errors: [...NOT_THERE, 'TITLE_HAS_ALREADY_TAKEN'],
      record: 'changed',
      handle: async ({ actor, params, expectedVersion }) => {
        const switched = await workflows.switchVersion(
          actor,
          params.id,
          params.snapshotId,
          expectedVersion,
        );
        return recordReply(shownWorkflows.one(switched), switched.record);
      },
    }),
  ];
}
