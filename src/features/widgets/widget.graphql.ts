import { Arg, Ctx, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/needs';
import type { DashboardSnapshot } from './dashboard-feed';
import { widgetPolicy } from './widget.policy';
import { Dashboard, TimelinePoint, TopWorkflow } from './widget.types';

const DAYS = 'How many days, 1 to 366.';
const ROWS = 'How many workflows, 1 to 100.';

interface DashboardRequest {
  readonly args: { readonly days: number; readonly top: number };
  readonly context: GraphqlContext;
}

@Resolver()
export class WidgetResolver {
  @Query(() => [TimelinePoint], {
    description: 'Executions and failures of the last days, today included, the oldest first.',
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
    description: 'The dashboard: a snapshot at once and after each change, at most two a second.',
    subscribe: ({ args, context }: DashboardRequest) =>
      context.services.dashboard(args.days, args.top, context.signal),
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
