import { z } from 'zod';
import type { Services } from '../../platform/context';
import { ERROR_CODES } from '../../platform/errors/codes';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId, keysOf, PathId } from '../../platform/http/scalars';
import { JOB_KINDS, JOB_STATES } from '../../platform/jobs/job.kinds';
import type { JobKind, JobState } from '../../platform/jobs/job.kinds';
import type { JobRecord } from '../../platform/jobs/job.model';
import { jobPolicy } from './job.policy';

const route = routesTagged('Jobs');

const Moment = z
  .int()
  .meta({ override: { type: 'integer', format: 'int64', description: 'Epoch milliseconds.' } });
const Code = z.enum(ERROR_CODES as [string, ...string[]]).meta({
  override: { type: 'string', enum: undefined, description: 'Error code.' },
});

const JobErrorBody = z.object({
  code: Code,
  message: z.string(),
  problems: z.array(z.object({ code: Code, message: z.string(), path: z.array(z.string()) })),
});

const JobBody = z
  .object({
    jobId: AnswerId,
    kind: z.enum(keysOf<JobKind>(JOB_KINDS)),
    state: z.enum(keysOf<JobState>(JOB_STATES)),
    percent: z.int().min(0).max(100),
    message: z.string().nullable(),
    result: z.unknown().meta({
      description: 'The response of the synchronous request. Null until the job succeeds.',
    }),
    error: JobErrorBody.nullable(),
    createdAt: Moment,
    startedAt: Moment.nullable(),
    finishedAt: Moment.nullable(),
  })
  .meta({ id: 'Job' });

interface JobPresenters {
  readonly one: Presenter<[JobRecord]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly jobs: JobPresenters;
  }
}

const millis = (at: Date | null): number | null => at && at.getTime();

/** Times are epoch milliseconds. */
export const documentedJobs: JobPresenters = {
  one: presenter(
    JobBody,
    ({
      _id,
      kind,
      state,
      percent,
      message,
      result,
      error,
      createdAt,
      startedAt,
      finishedAt,
    }: JobRecord) => ({
      jobId: _id,
      kind,
      state,
      percent,
      message,
      result: result === null ? null : (JSON.parse(result) as unknown),
      error: error && {
        code: error.code,
        message: error.message,
        problems: error.problems.map(({ code, message: text, path }) => ({
          code,
          message: text,
          path: [...path],
        })),
      },
      createdAt: createdAt.getTime(),
      startedAt: millis(startedAt),
      finishedAt: millis(finishedAt),
    }),
  ),
};

/** Routes for jobs, which 202 responses refer to. */
export function jobRoutes(
  { jobs }: Pick<Services, 'jobs'>,
  { jobs: present }: Presenters,
): Route[] {
  return [
    route('GET /job/:jobId', {
      needs: jobPolicy.read,
      summary: 'Get the progress and result of a background job',
      description:
        'Users see their own jobs, administrators all. Jobs are kept for `jobs.keep-days` days after their end.',
      params: z.object({ jobId: PathId }),
      answer: present.one.answer,
      errors: ['JOB_NOT_FOUND'],
      handle: async ({ actor, params }) => present.one(await jobs.get(actor, params.jobId)),
    }),
  ];
}
