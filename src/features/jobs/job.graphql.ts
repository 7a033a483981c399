import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
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
import { ConnectionArgs, toOrder } from '../../platform/graphql/connection';
import { databaseId } from '../../platform/graphql/ids';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { payload } from '../../platform/graphql/payload';
import { JSONValue } from '../../platform/graphql/scalars';
import type { JobOwner, JobRecord } from '../../platform/jobs/job.model';
import { maySeeJob } from '../../platform/jobs/jobs';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/page';
import { Author } from '../workflows/workflow.types';
import { jobPolicy } from './job.policy';
import { Job, JobCancelInput, JobConnection, JobFilter, JobOrder, JobPayload } from './job.types';

@ArgsType()
class JobsArgs extends ConnectionArgs {
  @Field(() => JobFilter, { nullable: true, description: 'Which jobs. Without it: all.' })
  readonly filter?: JobFilter;

  @Field(() => JobOrder, {
    nullable: true,
    description: 'Their order. Without it: the newest first.',
  })
  readonly orderBy?: InstanceType<typeof JobOrder>;
}

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
    description: 'One job; null when there is none, and for the job of somebody else.',
  })
  @Needs(jobPolicy.read)
  job(
    @Arg('id', () => ID, { description: 'Its id, global or integer.' }) id: string,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<JobRecord | null> {
    return services.jobs.byId(actor, databaseId(id, 'Job'));
  }

  @Query(() => JobConnection, {
    description: 'Your jobs, a page at a time, the newest first; administrators see all.',
  })
  @Needs(jobPolicy.read)
  jobs(
    @Args() { filter, orderBy, ...page }: JobsArgs,
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
      'Wants a job to end. One that waits ends at once; one that goes on ends, nothing changed, when its work lets go, unless it is done by then.',
  })
  @Needs(jobPolicy.cancel)
  jobCancel(@Arg('input') { id }: JobCancelInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('job', (ids) => services.jobs.cancel(actor, ids.read('Job', id)));
  }

  @Subscription(() => Job, {
    description:
      'A job as it is now, then after each change, ending with the job itself. Of changes that come faster than they are read the last one counts.',
    subscribe: ({ args, context: { actor, services, signal } }: JobProgressRequest) =>
      services.jobs.follow(actor, databaseId(args.jobId, 'Job', ['jobId']), signal),
  })
  @Needs(jobPolicy.read)
  jobProgress(
    @Root() job: JobRecord,
    @Ctx() { actor }: GraphqlContext,
    @Arg('jobId', () => ID, { description: 'The job, global or integer id.' }) _jobId: string,
  ): JobRecord {
    if (!maySeeJob(actor, job)) throw new Forbidden('This job is no longer yours to see.');
    return job;
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description:
      'What came of it, as REST would have answered it; null while it goes on, and when it did not end well.',
  })
  result(@Root() { result }: JobRecord): unknown {
    return result === null ? null : JSON.parse(result);
  }

  @FieldResolver(() => Author, { description: 'Who asked for it.' })
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
