import {
  Field,
  Float,
  ID,
  Int,
  ObjectType,
  registerEnumType,
  Arg,
  Ctx,
  Query,
  Resolver,
  Root,
  Subscription,
  FieldResolver,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { globalId } from '../../platform/graphql/schema/ids';
import { Needs } from '../../platform/graphql/schema/needs';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { runLoader } from '../runs/run.loader';
import { RunType } from '../runs/run.types';
import type { DayOfWeek as DayOfWeekName } from './calendar';
import type { DashboardSnapshot } from './dashboard-feed';
import { widgetPolicy } from './widget.policy';
import type {
  RunningRun as RunningRunRecord,
  TimelinePoint as PointRecord,
  TopWorkflow as TopRecord,
} from './widget.service';
import { linkedWorkflow } from '../workflows/workflow.loader';
import { Workflow } from '../workflows/workflow.types';

export const DayOfWeek = {
  MONDAY: 'MONDAY',
  TUESDAY: 'TUESDAY',
  WEDNESDAY: 'WEDNESDAY',
  THURSDAY: 'THURSDAY',
  FRIDAY: 'FRIDAY',
  SATURDAY: 'SATURDAY',
  SUNDAY: 'SUNDAY',
} as const satisfies { [D in DayOfWeekName]: D };
registerEnumType(DayOfWeek, {
  name: 'DayOfWeek',
  description: 'A day of the week.',
  valuesConfig: Object.fromEntries(
    Object.keys(DayOfWeek).map((day) => [
      day,
      { description: `${day[0]}${day.slice(1).toLowerCase()}.` },
    ]),
  ),
});

@ObjectType({ description: 'Executions on one day.' })
export class TimelinePoint implements PointRecord {
  @Field(() => String, { description: 'The day, `2026-05-04`, in the time zone of the service.' })
  readonly date!: string;

  @Field(() => DayOfWeek, { description: 'Its day of the week.' })
  readonly dayOfWeek!: DayOfWeekName;

  @Field(() => Int, {
    description: 'Runs that started on this day and have ended, without test runs.',
  })
  readonly executions!: number;

  @Field(() => Int, { description: 'How many of them failed or were interrupted.' })
  readonly failures!: number;
}

@ObjectType({ description: 'A workflow with its executions of all time.' })
export class TopWorkflow implements TopRecord {
  readonly connectionId!: number;

  @Field(() => String, { description: 'Its title.' })
  readonly title!: string;

  @Field(() => Int, { description: 'Runs that have ended, without test runs.' })
  readonly executions!: number;

  @Field(() => Float, { description: 'Percentage of them that failed or were interrupted.' })
  readonly failureRate!: number;
}

@ObjectType({ description: 'A running run.' })
export class RunningRun implements RunningRunRecord {
  readonly runId!: number;
  readonly connectionId!: number;

  @Field(() => String, { description: 'Title of its workflow when it was queued.' })
  readonly title!: string;

  @Field(() => DateTime, { description: 'When it started.' })
  readonly startedAt!: Date;
}

@ObjectType({ description: 'The figures of the dashboard.' })
export class Dashboard implements DashboardSnapshot {
  @Field(() => [TimelinePoint], { description: 'Executions per day, oldest first.' })
  readonly timeline!: readonly TimelinePoint[];

  @Field(() => [TopWorkflow], { description: 'The busiest workflows.' })
  readonly topWorkflows!: readonly TopWorkflow[];

  @Field(() => [RunningRun], {
    description: 'Running runs without test runs, oldest first, at most 100.',
  })
  readonly runningNow!: readonly RunningRun[];
}

const DAYS = 'How many days, 1 to 366.';
const ROWS = 'How many workflows, 1 to 100.';

interface DashboardRequest {
  readonly args: { readonly days: number; readonly top: number };
  readonly context: GraphqlContext;
}

@Resolver()
export class WidgetResolver {
  @Query(() => [TimelinePoint], {
    description: 'Executions and failures of the last days, including today, oldest first.',
  })
  @Needs(widgetPolicy.read)
  executionsTimeline(
    @Arg('days', () => Int, { defaultValue: 7, description: DAYS }) days: number,
    @Ctx() { services }: GraphqlContext,
  ): Promise<TimelinePoint[]> {
    return services.widgets.executionsTimeline(days);
  }

  @Query(() => [TopWorkflow], {
    description: 'The workflows with the most executions of all time.',
  })
  @Needs(widgetPolicy.read)
  topWorkflows(
    @Arg('limit', () => Int, { defaultValue: 5, description: ROWS }) limit: number,
    @Ctx() { services }: GraphqlContext,
  ): Promise<TopWorkflow[]> {
    return services.widgets.topWorkflows(limit);
  }

  @Subscription(() => Dashboard, {
    description: 'The dashboard: a snapshot at once and after each change, at most two per second.',
    subscribe: ({ args, context }: DashboardRequest) =>
      context.services.dashboard.follow(args.days, args.top, context.signal),
  })
  @Needs(widgetPolicy.read)
  dashboard(
    @Root() snapshot: DashboardSnapshot,
    @Arg('days', () => Int, { defaultValue: 7, description: DAYS }) _days: number,
    @Arg('top', () => Int, { defaultValue: 5, description: ROWS }) _top: number,
  ): DashboardSnapshot {
    return snapshot;
  }
}

const WORKFLOW_ID = 'Global id of the workflow.';
const WORKFLOW = 'The workflow. Null if it was deleted, or if the signed-in user may not read it.';

/** Links from the figures of the dashboard to their records. */
@Resolver(() => TopWorkflow)
export class LinksOfTopWorkflowResolver {
  @FieldResolver(() => ID, { description: WORKFLOW_ID })
  workflowId(@Root() { connectionId }: TopWorkflow): string {
    return globalId('Workflow', connectionId);
  }

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
  @FieldResolver(() => DateTime, { description: 'Start of the day.' })
  startsAt(@Root() { date }: TimelinePoint, @Ctx() { services }: GraphqlContext): Date {
    return services.widgets.boundsOf(date)[0];
  }

  @FieldResolver(() => DateTime, { description: 'Start of the next day.' })
  endsAt(@Root() { date }: TimelinePoint, @Ctx() { services }: GraphqlContext): Date {
    return services.widgets.boundsOf(date)[1];
  }
}

@Resolver(() => RunningRun)
export class LinksOfRunningRunResolver {
  @FieldResolver(() => ID, { description: 'Global id of the run.' })
  runId(@Root() { runId }: RunningRun): string {
    return globalId('Run', runId);
  }

  @FieldResolver(() => ID, { description: WORKFLOW_ID })
  workflowId(@Root() { connectionId }: RunningRun): string {
    return globalId('Workflow', connectionId);
  }

  @FieldResolver(() => RunType, {
    nullable: true,
    description: 'The run, or null if the signed-in user may not read it.',
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
