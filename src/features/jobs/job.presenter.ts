import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { JobRecord } from '../../platform/jobs/job.model';
import { JobBody } from './job.schema';

export interface JobPresenters {
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
