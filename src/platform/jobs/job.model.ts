import type { ErrorCode } from '../errors/codes';
import { orNull, partOf, schemaOf } from '../store/schema';
import type { JobKind, JobState } from './job.kinds';

/** The user who started the job, with their e-mail at that time. */
export interface JobOwner {
  readonly userId: number;
  readonly email: string;
}

/** A reason why a job failed. */
export interface JobProblem {
  readonly code: ErrorCode;
  /** Path in the input of the job. */
  readonly path: readonly string[];
  readonly message: string;
}

export interface JobError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly problems: readonly JobProblem[];
}

export interface JobRecord {
  readonly _id: number;
  readonly kind: JobKind;
  readonly state: JobState;
  /** 0 to 100. Until the job ends, the progress is in `job_progress` and this field is 0. */
  readonly percent: number;
  /** Current activity, for users; belongs to `percent`. */
  readonly message: string | null;
  /** JSON text, since names in it may contain dots and dollar signs. */
  readonly result: string | null;
  readonly error: JobError | null;
  readonly owner: JobOwner;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** A user requested cancellation; the process of the job checks this field. */
  readonly cancelRequested: boolean;
  /** Null while the job has not ended. */
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
// Users list their own jobs, administrators all: each order and filter has an index for both.
for (const ownerFields of [[], ['owner.userId']]) {
  for (const fields of [[], ['createdAt'], ['state', 'createdAt'], ['kind', 'createdAt']]) {
    const keys = [...ownerFields, ...fields, '_id'];
    if (keys.length > 1) jobSchema.index(Object.fromEntries(keys.map((field) => [field, 1])));
  }
}
jobSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
