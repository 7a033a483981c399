import { z } from 'zod';
import type { Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { AnswerId, Identifiers, NOBODY } from '../../platform/http/scalars';
import { workflowPolicy } from './workflow.policy';
import type { WorkflowService } from './workflow.service';

const tag = 'Workflows';

const Cleanup = z
  .object({
    removed: z.int().min(0).meta({ description: 'How many were removed.' }),
    skippedRunning: z.int().min(0).meta({ description: 'How many are running and stay.' }),
    connectionIds: z.array(AnswerId).meta({ description: 'Those that were removed.' }),
  })
  .meta({ id: 'TestCleanup' });

export function workflowCleanupRoutes({ workflows }: { workflows: WorkflowService }): Route[] {
  return [
    route({
      method: 'put',
      path: '/connection/list/delete',
      needs: workflowPolicy.delete,
      tag,
      success: 204,
      summary: 'Deletes workflows, all or none',
      body: Identifiers,
      example: { body: NOBODY },
      errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ actor, body }) => void (await workflows.removeAll(actor, body.identifiers)),
    }),
    route({
      method: 'delete',
      path: '/connection/test',
      needs: workflowPolicy.delete,
      tag,
      success: 200,
      summary: 'Removes workflows that tests left behind',
      description: 'Never one that is running.',
      answer: Cleanup,
      handle: async ({ actor }) => workflows.removeTests(actor),
    }),
  ];
}
