import type { Actor } from '../../platform/access/actor';
import { isAdmin } from '../../platform/access/actor';
import type { Need } from '../../platform/access/need';
import type { EventBus } from '../../platform/events/bus';
import { followJob } from '../../platform/jobs/job-feed';
import type { JobKind } from '../../platform/jobs/job.kinds';
import { jobNotFound } from '../../platform/jobs/job-errors';
import type { JobRecord } from '../../platform/jobs/job.model';
import { maySeeJob } from '../../platform/jobs/jobs';
import type { Jobs, JobWork } from '../../platform/jobs/jobs';
import { recordsByIds } from '../../platform/store/records';
import type { Order, Page, PageRequest } from '../../platform/store/keyset';
import { pageOf } from '../../platform/store/keyset';
import type { AuditService } from '../audit/audit.service';

declare module '../../platform/context' {
  interface Services {
    jobs: JobService;
  }
}

export interface JobDependencies {
  readonly jobs: Jobs;
  readonly audit: AuditService;
  readonly bus: EventBus;
}

export type JobService = ReturnType<typeof createJobService>;

/** Reads, follows and cancels jobs. Jobs that the actor may not see are treated as missing. */
export function createJobService({ jobs, audit, bus }: JobDependencies) {
  /** @throws NotFound JOB_NOT_FOUND */
  async function get(actor: Actor, id: number): Promise<JobRecord> {
    const job = await jobs.byId(actor, id);
    if (!job) throw jobNotFound(id);
    return job;
  }

  return {
    /** See `Jobs.start`. */
    start: (actor: Actor, kind: JobKind, needs: Need, work: JobWork): Promise<JobRecord> =>
      jobs.start(actor, kind, needs, work),

    get,

    byId: (actor: Actor, id: number): Promise<JobRecord | null> => jobs.byId(actor, id),

    /** In the order of `ids`, null for unknown ones. */
    async byIds(actor: Actor, ids: readonly number[]): Promise<(JobRecord | null)[]> {
      const found = (await recordsByIds(jobs.model, ids)).flatMap((job) =>
        job && maySeeJob(actor, job) ? [job] : [],
      );
      const byId = new Map((await jobs.currentOf(found)).map((job) => [job._id, job]));
      return ids.map((id) => byId.get(id) ?? null);
    },

    async page(
      actor: Actor,
      filter: Record<string, unknown>,
      page: PageRequest,
      orderBy: readonly Order[],
    ): Promise<Page<JobRecord>> {
      const found = await pageOf<JobRecord>(jobs.model, {
        ...page,
        filter,
        within: isAdmin(actor) ? {} : { 'owner.userId': actor.userId },
        orderBy,
      });
      return found.mapAll((nodes) => jobs.currentOf(nodes));
    },

    /**
     * Requests the cancellation of a job. Returns its current state.
     * @throws NotFound JOB_NOT_FOUND
     * @throws Refused JOB_ALREADY_FINISHED
     */
    cancel(actor: Actor, id: number): Promise<JobRecord> {
      return jobs.cancel(actor, id, (before, after, tx) =>
        audit.record(
          actor,
          'job.cancel',
          { type: 'Job', id },
          { kind: before.kind, state: before.state, percent: before.percent },
          { state: after.state },
          tx,
        ),
      );
    },

    /**
     * Yields the job now and after each change until it ends.
     * @throws NotFound JOB_NOT_FOUND
     */
    async follow(
      actor: Actor,
      id: number,
      signal: AbortSignal,
    ): Promise<AsyncGenerator<JobRecord, void, undefined>> {
      await get(actor, id);
      return followJob(bus, id, () => jobs.find(id), signal);
    },
  };
}
