import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import type { Page } from '../../platform/store/page';
import type { WorkflowRow } from '../workflows/workflow.model';
import { Workflow } from '../workflows/workflow.types';
import { pageOfRuns, RunsArgs } from './run.graphql';
import type { RunRow } from './run.model';
import { Run, RunConnection } from './run.types';

/** The links between runs and workflows. */
@Resolver(() => Workflow)
export class RunsOfWorkflowResolver {
  @FieldResolver(() => RunConnection, { description: 'Its runs, the newest first.' })
  runs(@Root() { _id }: WorkflowRow, @Args() args: RunsArgs, @Ctx() { services }: GraphqlContext): Promise<Page<RunRow>> {
    return pageOfRuns(services.runs, args, { workflowId: _id });
  }

  @FieldResolver(() => Run, { nullable: true, description: 'Its newest run; test runs apart.' })
  async lastRun(@Root() { lastRunId }: WorkflowRow, @Ctx() context: GraphqlContext): Promise<RunRow | null> {
    if (lastRunId === null) return null;
    return context.loader('runs', (ids: readonly number[]) => context.services.runs.byIds(ids)).load(lastRunId);
  }
}

@Resolver(() => Run)
export class WorkflowOfRunResolver {
  @FieldResolver(() => Workflow, { nullable: true, description: 'The workflow; null when it is deleted.' })
  async workflow(@Root() { workflowId }: RunRow, @Ctx() context: GraphqlContext): Promise<WorkflowRow | null> {
    return context.loader('workflows', (ids: readonly number[]) => context.services.workflows.byIds(ids)).load(workflowId);
  }
}
