import type { Actor } from '../../platform/access/actor';
import { isAdmin } from '../../platform/access/actor';
import type { Need } from '../../platform/access/need';
import { jobNotFound } from '../../platform/jobs/job-errors';
import type { JobKind } from '../../platform/jobs/job.kinds';
import type { JobRecord } from '../../platform/jobs/job.model';
import { maySeeJob } from '../../platform/jobs/jobs';
import type { Jobs, JobWork } from '../../platform/jobs/jobs';
import type { Order, Page, PageRequest } from '../../platform/store/lists/keyset';
import { pageOf } from '../../platform/store/lists/keyset';
import type { AuditService } from '../audit/audit.service';

declare module '../../platform/context' {
  interface Services {
    jobs: JobService;
  }
}

/** Reads, follows and cancels jobs. Jobs that the actor may not see are treated as missing. */
export class JobService {
  constructor(
    private readonly jobs: Jobs,
    private readonly audit: AuditService,
  ) {}

  /** See `Jobs.start`. */
  start(actor: Actor, kind: JobKind, needs: Need, work: JobWork): Promise<JobRecord> {
    return this.jobs.start(actor, kind, needs, work);
  }

  /** @throws NotFound JOB_NOT_FOUND */
  async get(actor: Actor, id: number): Promise<JobRecord> {
    const job = await this.byId(actor, id);
    if (!job) throw jobNotFound(id);
    return job;
  }

  byId(actor: Actor, id: number): Promise<JobRecord | null> {
    return this.jobs.byId(actor, id);
  }

  /** Returns the jobs in the given order, null for missing ones. */
  async byIds(actor: Actor, ids: readonly number[]): Promise<(JobRecord | null)[]> {
    const jobs = (await this.jobs.collection.byIds(ids)).flatMap((job) =>
      job && maySeeJob(actor, job) ? [job] : [],
    );
    const byId = new Map((await this.jobs.currentOf(jobs)).map((job) => [job._id, job]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  async page(
    actor: Actor,
    filter: Record<string, unknown>,
    page: PageRequest,
    orderBy: readonly Order[],
  ): Promise<Page<JobRecord>> {
    const result = await pageOf<JobRecord>(this.jobs.collection, {
      ...page,
      filter,
      within: isAdmin(actor) ? {} : { 'owner.userId': actor.userId },
      orderBy,
    });
    return result.mapAll((nodes) => this.jobs.currentOf(nodes));
  }

  /**
   * Requests the cancellation of a job. Returns its current state.
   * @throws NotFound JOB_NOT_FOUND
   * @throws Refused JOB_ALREADY_FINISHED
   */
  cancel(actor: Actor, id: number): Promise<JobRecord> {
    return this.jobs.cancel(actor, id, (before, after, tx) =>
      this.audit.record(
        actor,
        'job.cancel',
        { type: 'Job', id },
        { kind: before.kind, state: before.state, percent: before.percent },
        { state: after.state },
        tx,
      ),
    );
  }

  /**
   * Yields the job now and after each change until it ends.
   * @throws NotFound JOB_NOT_FOUND
   */
  async follow(
    actor: Actor,
    id: number,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<JobRecord, void, undefined>> {
    await this.get(actor, id);
    return this.jobs.follow(id, signal);
  }
}
