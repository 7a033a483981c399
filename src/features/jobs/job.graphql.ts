import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Forbidden } from '../../platform/errors/errors';
import { toOrder } from '../../platform/graphql/schema/connection';
import { databaseId } from '../../platform/graphql/schema/ids';
import { Needs } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import { JSONValue } from '../../platform/graphql/schema/scalars';
import type { JobOwner, JobRecord } from '../../platform/jobs/job.model';
import { maySeeJob } from '../../platform/jobs/jobs';
import { toQuery } from '../../platform/store/lists/filter';
import type { Page } from '../../platform/store/lists/page';
import { Author } from '../workflows/workflow.types';
import { jobPolicy } from './job.policy';
import { Job, JobCancelInput, JobConnection, JobPayload, JobsArgs } from './job.types';

const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Job') },
  kind: 'kind',
  state: 'state',
  createdAt: 'createdAt',
};
const ORDERS = { DATABASE_ID: '_id', CREATED_AT: 'createdAt' } as const;

interface JobProgressRequest {
  readonly args: { readonly jobId: string };
  readonly context: GraphqlContext;
}

@Resolver(() => Job)
export class JobResolver {
  @Query(() => Job, {
    nullable: true,
    description: 'A job; null if it does not exist or is not visible to the user.',
  })
  @Needs(jobPolicy.read)
  job(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<JobRecord | null> {
    return services.jobs.byId(actor, databaseId(id, 'Job'));
  }

  @Query(() => JobConnection, {
    description:
      'A page of the jobs of the signed-in user, the newest first. Administrators see all jobs.',
  })
  @Needs(jobPolicy.read)
  jobs(
    @Args(() => JobsArgs) { filter, orderBy, ...page }: InstanceType<typeof JobsArgs>,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<Page<JobRecord>> {
    return services.jobs.page(
      actor,
      toQuery(filter, FIELDS),
      page,
      toOrder(orderBy, ORDERS, { field: 'createdAt', direction: 'desc' }),
    );
  }

  @Mutation(() => JobPayload, {
    description:
      'Cancels a job. A queued job ends immediately. A running job ends at its next step without changing anything, unless it completes before that.',
  })
  @Needs(jobPolicy.cancel)
  jobCancel(@Arg('input') { id }: JobCancelInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('job', (ids) => services.jobs.cancel(actor, ids.read('Job', id)));
  }

  @Subscription(() => Job, {
    description:
      'Sends a job in its current state, then after each change until it ends. A slow reader gets only the latest state.',
    subscribe: ({ args, context: { actor, services, signal } }: JobProgressRequest) =>
      services.jobs.follow(actor, databaseId(args.jobId, 'Job', ['jobId']), signal),
  })
  @Needs(jobPolicy.read)
  jobProgress(
    @Root() job: JobRecord,
    @Ctx() { actor }: GraphqlContext,
    @Arg('jobId', () => ID, { description: 'The job: global id or integer.' }) _jobId: string,
  ): JobRecord {
    if (!maySeeJob(actor, job)) throw new Forbidden('You may no longer see this job.');
    return job;
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description:
      'The result, as the synchronous REST response would have it. Null until the job succeeds.',
  })
  result(@Root() { result }: JobRecord): unknown {
    return result === null ? null : JSON.parse(result);
  }

  @FieldResolver(() => Author, { description: 'The user who started it.' })
  createdBy(@Root() { owner }: JobRecord): JobOwner {
    return owner;
  }
}

registerNode(
  'Job',
  (id, context) =>
    context
      .loader<number, JobRecord>('jobs', (ids) => context.services.jobs.byIds(context.actor, ids))
      .load(id),
  jobPolicy.read,
);
