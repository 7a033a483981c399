import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, nestedPage } from '../../platform/graphql/schema/connection';
import { Needs } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import type { Page } from '../../platform/store/lists/page';
import { JobPayload } from '../jobs/job.types';
import { linkedWorkflow, versionOfContentLoader } from '../workflows/workflow.loader';
import type { VersionRecord, WorkflowRecord } from '../workflows/workflow.model';
import { workflowPolicy } from '../workflows/workflow.policy';
import { Workflow, WorkflowVersion } from '../workflows/workflow.types';
import { RunsArgs, toListRequest, toRunQuery } from './run.graphql';
import { lastRunLoader, lastSucceededRunLoader, runLoader } from './run.loader';
import type { RunRecord } from './run.model';
import { runPolicy } from './run.policy';
import { RunType, RunConnection, RunPayload, RunRetryInput, RunsRetryInput } from './run.types';

async function linkedRun(
  context: GraphqlContext,
  id: number | null | undefined,
): Promise<RunRecord | null> {
  return id == null ? null : runLoader(context).load(id);
}

@Resolver(() => Workflow)
export class RunsOfWorkflowResolver {
  @FieldResolver(() => RunConnection, { description: 'Its runs, newest first by default.' })
  runs(
    @Root() { _id }: WorkflowRecord,
    @Args() args: RunsArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<RunRecord>> {
    const { actor, services } = context;
    return nestedPage(context, 'runs', _id, args, (ids) =>
      services.runs.pagesOfWorkflows(actor, ids, ...toListRequest(args)),
    );
  }

  @FieldResolver(() => RunType, {
    nullable: true,
    description: 'Its newest run that is not a test.',
  })
  lastRun(
    @Root() { _id }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return lastRunLoader(context).load(_id);
  }

  @FieldResolver(() => RunType, {
    nullable: true,
    description: 'Its newest run that succeeded and is not a test. `diffSinceSuccess` compares.',
  })
  lastSucceededRun(
    @Root() { _id }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return lastSucceededRunLoader(context).load(_id);
  }
}

@Resolver()
export class RunRetryResolver {
  @Mutation(() => RunPayload, {
    description:
      'Retries a run: the same version with the same parameters, and the current credentials and secrets. Returns the new run when it is queued. Fails with RUN_NOT_REPEATABLE if the version or the parameters no longer exist.',
  })
  @Needs(runPolicy.start)
  runRetry(
    @Arg('input') { id, logging, from }: RunRetryInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'run',
      (ids) =>
        services.runRetries.retry(actor, ids.read('Run', id), {
          logging,
          from,
        }) as Promise<RunType>,
    );
  }

  @Mutation(() => JobPayload, {
    description:
      'Retries runs that FAILED or were INTERRUPTED in a background job, all or none: of the runs that match the filter, without tests, runs with a retry that succeeded or is unfinished, and runs that cannot be repeated, the oldest 1,000. The result of the job is `{ runIds, notRepeatable, more }`: the new runs, the oldest 1,000 of the runs that cannot be repeated, and whether there are more runs.',
  })
  @Needs(runPolicy.start)
  runsRetry(@Arg('input') { filter }: RunsRetryInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('job', () => services.runRetries.retryAll(actor, toRunQuery(filter)), [
      [['id'], ['filter']],
    ]);
  }
}

@Resolver(() => RunType)
export class RunLinksResolver {
  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'The workflow; null if it is deleted, or you may not read it.',
  })
  async workflow(
    @Root() { workflowId }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WorkflowRecord | null> {
    return linkedWorkflow(context, workflowId);
  }

  @FieldResolver(() => WorkflowVersion, {
    nullable: true,
    description:
      'The executed version; null if it is no longer kept or has changed, if you may not read it, and for the test of an unsaved workflow.',
  })
  async workflowVersion(
    @Root() { content }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<VersionRecord | null> {
    return allows(workflowPolicy.read, context.actor)
      ? versionOfContentLoader(context).load(content.id)
      : null;
  }

  @FieldResolver(() => RunType, {
    nullable: true,
    description:
      'The run that it retries; for a retry of a retry, the first run. Null if it is no retry, or that run is no longer kept or not visible to you.',
  })
  retryOf(
    @Root() { retryOf }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return linkedRun(context, retryOf);
  }

  @FieldResolver(() => RunType, {
    nullable: true,
    description:
      'The run whose failure started it. Null if there is none, or that run is no longer kept or not visible to you.',
  })
  errorOf(
    @Root() { errorOf }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return linkedRun(context, errorOf);
  }

  @FieldResolver(() => RunType, {
    nullable: true,
    description:
      'The run of the error workflow that its failure started. Null if there is none, or that run is no longer kept or not visible to you.',
  })
  errorRun(
    @Root() { errorRunId }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return linkedRun(context, errorRunId);
  }

  @FieldResolver(() => RunConnection, {
    description: 'Its retries, newest first. Retries of retries are linked to the first run.',
  })
  retries(
    @Root() { _id }: RunRecord,
    @Args() page: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<RunRecord>> {
    return nestedPage(context, 'retries', _id, page, (ids) =>
      context.services.runRetries.retriesOf(context.actor, ids, page),
    );
  }
}
