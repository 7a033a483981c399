import { z } from 'zod';
import type { Presenters } from '../../../platform/http/presenters';
import type { Route } from '../../../platform/http/route';
import { route } from '../../../platform/http/route';
import { IdParams } from '../../../platform/http/scalars';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowService } from '../workflow.service';

export function diffRoutes(
  { workflows }: { workflows: WorkflowService },
  { workflowDiffs: shown }: Presenters,
): Route[] {
  return [
    route({
      method: 'get',
      path: '/connection/:id/diff',
      needs: workflowPolicy.read,
      tag: 'Workflow versions',
      success: 200,
      summary: 'What changed from one version of a workflow to another',
      params: IdParams,
      query: z.object({
        from: z.string().meta({ description: 'The earlier version: its `snapshotId`.' }),
        to: z
          .string()
          .optional()
          .meta({ description: 'The later one; without it the current version.' }),
      }),
      answer: shown.one.answer,
      errors: ['CONNECTION_NOT_FOUND', 'VERSION_NOT_FOUND'],
      handle: async ({ params, query }) =>
        shown.one(await workflows.diff(params.id, query.from, query.to ?? null)),
    }),
  ];
}
