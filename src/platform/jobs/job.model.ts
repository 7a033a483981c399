import type { ErrorCode } from '../errors/codes';
import { orNull, partOf, schemaOf } from '../store/schema';
import type { JobKind, JobState } from './job.kinds';

/** Who asked for a job, as he was known then. */
export interface JobOwner {
  readonly userId: number;
  readonly email: string;
}

/** One thing that spoke against the work. */
export interface JobProblem {
  readonly code: ErrorCode;
  /** Where it stands in what was given to the job. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Why a job failed. */
export interface JobError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly problems: readonly JobProblem[];
}

/** Long work in the background. */
export interface JobRecord {
  readonly _id: number;
  readonly kind: JobKind;
  readonly state: JobState;
  /** 0 to 100; 100 means done. Until the job has ended its progress is in `job_progress`, and here it is 0. */
  readonly percent: number;
  /** What is being done, for people; with `percent`. */
  readonly message: string | null;
  /** JSON text: names in it may have dots and dollars. */
  readonly result: string | null;
  readonly error: JobError | null;
  readonly owner: JobOwner;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Somebody wants it to end; the process that works on it looks here, too. */
  readonly cancelRequested: boolean;
  /** Null: it goes on. */
  readonly expiresAt: Date | null;
}

const owner = partOf<JobOwner>({ userId: Number, email: String });
const problem = partOf<JobProblem>({ code: String, path: [String], message: String });
const error = partOf<JobError>({ code: String, message: String, problems: [problem] });

export const jobSchema = schemaOf<JobRecord>({
  _id: Number,
  kind: String,
  state: String,
  percent: Number,
  message: orNull(String),
  result: orNull(String),
  error: orNull(error),
  owner,
  createdAt: Date,
  startedAt: orNull(Date),
  finishedAt: orNull(Date),
  cancelRequested: Boolean,
  expiresAt: orNull(Date),
});
// Everybody lists his own, administrators all: each order and filter has an index for both.
for (const whose of [[], ['owner.userId']]) {
  for (const fields of [[], ['createdAt'], ['state', 'createdAt'], ['kind', 'createdAt']]) {
    const keys = [...whose, ...fields, '_id'];
    if (keys.length > 1) jobSchema.index(Object.fromEntries(keys.map((field) => [field, 1])));
  }
}
jobSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
