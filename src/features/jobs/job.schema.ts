import { z } from 'zod';
import { ERROR_CODES } from '../../platform/errors/codes';
import { AnswerId, keysOf } from '../../platform/http/scalars';
import { JOB_KINDS, JOB_STATES } from '../../platform/jobs/job.kinds';
import type { JobKind, JobState } from '../../platform/jobs/job.kinds';

const Moment = z
  .int()
  .meta({ override: { type: 'integer', format: 'int64', description: 'Epoch milliseconds.' } });
const Code = z.enum(ERROR_CODES as [string, ...string[]]).meta({
  override: { type: 'string', enum: undefined, description: 'What was wrong, for programs.' },
});

const JobErrorBody = z.object({
  code: Code,
  message: z.string(),
  problems: z.array(z.object({ code: Code, message: z.string(), path: z.array(z.string()) })),
});

export const JobBody = z
  .object({
    jobId: AnswerId,
    kind: z.enum(keysOf<JobKind>(JOB_KINDS)),
    state: z.enum(keysOf<JobState>(JOB_STATES)),
    percent: z.int().min(0).max(100),
    message: z.string().nullable(),
    result: z.unknown().meta({
      description: 'What the request would have answered, had it waited; null until all is done.',
    }),
    error: JobErrorBody.nullable(),
    createdAt: Moment,
    startedAt: Moment.nullable(),
    finishedAt: Moment.nullable(),
  })
  .meta({ id: 'Job' });
