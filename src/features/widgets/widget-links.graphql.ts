import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { DateTime } from '../../platform/graphql/scalars';
import { runLoader } from '../runs/run.loader';
import { Run } from '../runs/run.types';
import { linkedWorkflow } from '../workflows/workflow.loader';
import { Workflow } from '../workflows/workflow.types';
import { RunningRun, TimelinePoint, TopWorkflow } from './widget.types';

const WORKFLOW = 'The workflow; null when it is deleted, or not for the signed-in user to read.';

/** Links from the figures of the dashboard to their records. */
@Resolver(() => TopWorkflow)
export class WorkflowOfTopWorkflowResolver {
  @FieldResolver(() => Workflow, { nullable: true, description: WORKFLOW })
  async workflow(
    @Root() { connectionId }: TopWorkflow,
    @Ctx() context: GraphqlContext,
  ): Promise<object | null> {
    return linkedWorkflow(context, connectionId);
  }
}

/** The bounds of a day, for filtering its runs. */
@Resolver(() => TimelinePoint)
export class BoundsOfTimelinePointResolver {
  @FieldResolver(() => DateTime, { description: 'When the day begins.' })
  startsAt(@Root() { date }: TimelinePoint, @Ctx() { services }: GraphqlContext): Date {
    return services.widgets.boundsOf(date)[0];
  }

  @FieldResolver(() => DateTime, { description: 'When the next one begins.' })
  endsAt(@Root() { date }: TimelinePoint, @Ctx() { services }: GraphqlContext): Date {
    return services.widgets.boundsOf(date)[1];
  }
}

@Resolver(() => RunningRun)
export class LinksOfRunningRunResolver {
  @FieldResolver(() => Run, {
    nullable: true,
    description: 'The run; null when it is not for the signed-in user to read.',
  })
  async run(@Root() { runId }: RunningRun, @Ctx() context: GraphqlContext): Promise<object | null> {
    return runLoader(context).load(runId);
  }

  @FieldResolver(() => Workflow, { nullable: true, description: WORKFLOW })
  async workflow(
    @Root() { connectionId }: RunningRun,
    @Ctx() context: GraphqlContext,
  ): Promise<object | null> {
    return linkedWorkflow(context, connectionId);
  }
}
