import { Conflict, DomainError, NotFound, reasonsOf, Refused } from '../errors/errors';
import type { InputPath } from '../errors/errors';
import type { JobError, JobRecord } from './job.model';

/** Problems of a job that are kept. */
const MOST_PROBLEMS = 100;
/** Characters of a text that are kept. */
const LONGEST_TEXT = 1_000;

export const jobNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('JOB_NOT_FOUND', `There is no job ${id}.`, { path });

export const jobFinished = ({ _id, state }: JobRecord): Refused =>
  new Refused('JOB_ALREADY_FINISHED', `Job ${_id} has ended: ${state}.`, { path: ['id'] });

/** Thrown into the work of a job that somebody cancelled. */
export class JobCancelled extends Error {
  constructor() {
    super('The job was cancelled.');
    this.name = 'JobCancelled';
  }
}

/** Thrown into the work of a job when the service stops, and where the job was taken for dead meanwhile: nothing it does counts any more. */
export class JobInterrupted extends Conflict {
  constructor() {
    super('JOB_INTERRUPTED', INTERRUPTED.message);
  }
}

/** The error of a job that its process left behind. */
export const INTERRUPTED: JobError = {
  code: 'JOB_INTERRUPTED',
  message: 'The service stopped while the job waited or went on. Nothing was changed.',
  problems: [],
};

const FAULT: JobError = {
  code: 'INTERNAL_SERVER_ERROR',
  message: 'A fault of the service ended the job. Nothing was changed.',
  problems: [],
};

const short = (text: string): string => text.slice(0, LONGEST_TEXT).toWellFormed();

/** What is kept of a failure: every reason of one the caller can act on, nothing of a fault. */
export function jobErrorOf(error: unknown): JobError {
  if (!(error instanceof DomainError)) return FAULT;
  const problems = reasonsOf(error)
    .slice(0, MOST_PROBLEMS)
    .map(({ code, path, message }) => ({
      code,
      path: path.map((part) => short(String(part))),
      message: short(message),
    }));
  return { code: error.reason, message: short(error.message), problems };
}
