import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { nestedPage } from '../../platform/graphql/connection';
import type { Page } from '../../platform/store/page';
import { linkedWorkflow, versionOfContentLoader } from '../workflows/workflow.loader';
import type { VersionRecord, WorkflowRecord } from '../workflows/workflow.model';
import { workflowPolicy } from '../workflows/workflow.policy';
import { Workflow, WorkflowVersion } from '../workflows/workflow.types';
import { askedRuns, RunsArgs } from './run.graphql';
import { runLoader } from './run.loader';
import type { RunRecord } from './run.model';
import { Run, RunConnection } from './run.types';

@Resolver(() => Workflow)
export class RunsOfWorkflowResolver {
  @FieldResolver(() => RunConnection, { description: 'Its runs, the newest first.' })
  runs(
    @Root() { _id }: WorkflowRecord,
    @Args() args: RunsArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<RunRecord>> {
    const { actor, services } = context;
    return nestedPage(context, 'runs', _id, args, (ids) =>
      services.runs.pagesOfWorkflows(actor, ids, ...askedRuns(args)),
    );
  }

  @FieldResolver(() => Run, { nullable: true, description: 'Its newest run; test runs apart.' })
  async lastRun(
    @Root() { lastRunId }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    if (lastRunId === null) return null;
    return runLoader(context).load(lastRunId);
  }
}

@Resolver(() => Run)
export class WorkflowOfRunResolver {
  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'The workflow; null when it is deleted, or not for the signed-in user to read.',
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
      'The version it executes; null when that is kept no more, has another content by now, or not for the signed-in user to read, and for the test of a workflow that was not saved.',
  })
  async workflowVersion(
    @Root() { content }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<VersionRecord | null> {
    return allows(workflowPolicy.read, context.actor)
      ? versionOfContentLoader(context).load(content.id)
      : null;
  }
}
