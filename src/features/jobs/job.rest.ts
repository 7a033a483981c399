import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { PathId } from '../../platform/http/scalars';
import { jobPolicy } from './job.policy';

/** Routes for jobs, which 202 responses refer to. */
export function jobRoutes(
  { jobs }: Pick<Services, 'jobs'>,
  { jobs: present }: Presenters,
): Route[] {
  return [
    route({
      method: 'get',
      path: '/job/:jobId',
      needs: jobPolicy.read,
      tag: 'Jobs',
      success: 200,
      summary: 'Work in the background: how far it is, and how it ended',
      description:
        'Your own; administrators see all. Kept for `jobs.keep-days` days after its end.',
      params: z.object({ jobId: PathId }),
      answer: present.one.answer,
      errors: ['JOB_NOT_FOUND'],
      handle: async ({ actor, params }) => present.one(await jobs.get(actor, params.jobId)),
    }),
  ];
}
