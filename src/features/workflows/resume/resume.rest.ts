import { z } from 'zod';
import { routesTagged } from '../../../platform/http/route';
import type { Route } from '../../../platform/http/route';
import { IdParams } from '../../../platform/http/scalars';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowService } from '../workflow.service';
import type { ResumeSettings } from './resume-settings';

const route = routesTagged('Workflows');

const ResumeSetting = z
  .object({
    resume: z.boolean().meta({
      description: 'Whether its runs go on where they were after a crash or a stop of the service.',
    }),
  })
  .meta({ id: 'ResumeSetting' });

/** The setting has its own route: existing clients do not send the field when they save. */
export function resumeRoutes({
  workflows,
  resumeSettings,
}: {
  workflows: WorkflowService;
  resumeSettings: ResumeSettings;
}): Route[] {
  return [
    route('GET /connection/:id/resume', {
      needs: workflowPolicy.read,
      summary: 'Whether runs of a workflow go on after a crash',
      params: IdParams,
      answer: ResumeSetting,
      errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ params }) => ({
        resume: (await workflows.get(params.id)).resume === true,
      }),
    }),
    route('PUT /connection/:id/resume', {
      needs: workflowPolicy.update,
      summary: 'Sets whether runs of a workflow go on after a crash',
      description:
        'Applies from the next start on. The answers of its runs are kept encrypted until they end.',
      params: IdParams,
      body: ResumeSetting,
      example: { body: { resume: true } },
      answer: ResumeSetting,
      errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ actor, params, body }) => ({
        resume: (await resumeSettings.set(actor, params.id, body.resume)).resume === true,
      }),
    }),
  ];
}
