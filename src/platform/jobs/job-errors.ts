import { Conflict, DomainError, NotFound, reasonsOf, Refused } from '../errors/errors';
import type { InputPath } from '../errors/errors';
import type { JobError, JobRecord } from './job.model';

/** Maximum number of problems that are stored. */
const MAX_PROBLEMS = 100;
/** Maximum length of a stored text, in characters. */
const MAX_TEXT_LENGTH = 1_000;

export const jobNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('JOB_NOT_FOUND', `There is no job ${id}.`, { path });

export const jobFinished = ({ _id, state }: JobRecord): Refused =>
  new Refused('JOB_ALREADY_FINISHED', `Job ${_id} has already ended: ${state}.`, { path: ['id'] });

/** Thrown into the work of a job that was cancelled. */
export class JobCancelled extends Error {
  constructor() {
    super('The job was cancelled.');
    this.name = 'JobCancelled';
  }
}

/** Thrown into the work of a job when the service stops or another process declared it dead. */
export class JobInterrupted extends Conflict {
  constructor() {
    super('JOB_INTERRUPTED', INTERRUPTED.message);
  }
}

/** Error of a job whose process ended. */
export const INTERRUPTED: JobError = {
  code: 'JOB_INTERRUPTED',
  message: 'The service stopped before the job was completed. Nothing was changed.',
  problems: [],
};

const FAULT: JobError = {
  code: 'INTERNAL_SERVER_ERROR',
  message: 'The job failed because of an internal error. Nothing was changed.',
  problems: [],
};

const short = (text: string): string => text.slice(0, MAX_TEXT_LENGTH).toWellFormed();

/** Stores all reasons of a `DomainError`, but nothing of an internal error. */
export function jobErrorOf(error: unknown): JobError {
  if (!(error instanceof DomainError)) return FAULT;
  const problems = reasonsOf(error)
    .slice(0, MAX_PROBLEMS)
    .map(({ code, path, message }) => ({
      code,
      path: path.map((part) => short(String(part))),
      message: short(message),
    }));
  return { code: error.reason, message: short(error.message), problems };
}
