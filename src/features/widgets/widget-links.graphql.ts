import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { runLoader } from '../runs/run.loader';
import { Run } from '../runs/run.types';
import { linkedWorkflow } from '../workflows/workflow.loader';
import { Workflow } from '../workflows/workflow.types';
import { RunningRun, TopWorkflow } from './widget.types';

const WORKFLOW = 'The workflow; null when it is deleted, or not for the signed-in user to read.';

/** The links from the figures of the dashboard to what they are about. */
@Resolver(() => TopWorkflow)
export class WorkflowOfTopWorkflowResolver {
  @FieldResolver(() => Workflow, { nullable: true, description: WORKFLOW })
  async workflow(@Root() { connectionId }: TopWorkflow, @Ctx() context: GraphqlContext): Promise<object | null> {
    return linkedWorkflow(context, connectionId);
  }
}

@Resolver(() => RunningRun)
export class LinksOfRunningRunResolver {
  @FieldResolver(() => Run, { nullable: true, description: 'The run; null when it is not for the signed-in user to read.' })
  async run(@Root() { runId }: RunningRun, @Ctx() context: GraphqlContext): Promise<object | null> {
    return runLoader(context).load(runId);
  }

  @FieldResolver(() => Workflow, { nullable: true, description: WORKFLOW })
  async workflow(@Root() { connectionId }: RunningRun, @Ctx() context: GraphqlContext): Promise<object | null> {
    return linkedWorkflow(context, connectionId);
  }
}
