import {
  Args,
  Ctx,
  FieldResolver,
  Resolver,
  Root,
  ArgsType,
  Field,
  ID,
  ObjectType,
  Subscription,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import {
  ConnectionArgs,
  ListChangedArgs,
  nestedPage,
} from '../../platform/graphql/schema/connection';
import { globalId } from '../../platform/graphql/schema/ids';
import { Needs } from '../../platform/graphql/schema/needs';
import { toQuery } from '../../platform/store/lists/filter';
import type { ListChange } from '../../platform/store/lists/live-list';
import type { Page } from '../../platform/store/lists/page';
import { runLoader } from '../runs/run.loader';
import type { RunRecord } from '../runs/run.model';
import { RunType } from '../runs/run.types';
import { SCHEDULE_FIELDS } from './schedule.graphql';
import { linkedSchedule } from './schedule.loader';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';
import { Schedule, ScheduleConnection, ScheduleFilter } from './schedule.types';
import { linkedWorkflow } from '../workflows/workflow.loader';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { Workflow } from '../workflows/workflow.types';

@Resolver(() => Schedule)
export class LinksOfScheduleResolver {
  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'The workflow that it runs, or null if the signed-in user may not read it.',
  })
  workflow(
    @Root() { workflowId }: ScheduleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WorkflowRecord | null> {
    return linkedWorkflow(context, workflowId);
  }

  @FieldResolver(() => RunType, {
    nullable: true,
    description:
      'Its newest run, however it was started. Null if there is none, if it was removed, or if the signed-in user may not read it.',
  })
  async lastRun(
    @Root() { lastRunId }: ScheduleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return lastRunId === null ? null : runLoader(context).load(lastRunId);
  }
}

@Resolver(() => Workflow)
export class SchedulesOfWorkflowResolver {
  @FieldResolver(() => ScheduleConnection, {
    nullable: true,
    description:
      'Its schedules, by title. Null, with the error FORBIDDEN, if the user may not read schedules.',
  })
  @Needs(schedulePolicy.read)
  schedules(
    @Root() { _id }: WorkflowRecord,
    @Args() page: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<ScheduleRecord>> {
    return nestedPage(context, 'schedulesOfWorkflows', _id, page, (ids) =>
      context.services.scheduleRecords.pagesOfWorkflows(ids, {
        ...page,
        orderBy: [{ field: 'titleKey', direction: 'asc' }],
      }),
    );
  }
}

@Resolver(() => RunType)
export class ScheduleOfRunResolver {
  @FieldResolver(() => Schedule, {
    nullable: true,
    description:
      'The schedule that started it. Null if none did, if it was deleted, or if the signed-in user may not read it.',
  })
  schedule(
    @Root() { scheduleId }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<ScheduleRecord | null> {
    return linkedSchedule(context, scheduleId);
  }
}

@ArgsType()
class SchedulesChangedArgs extends ListChangedArgs {
  @Field(() => ScheduleFilter, {
    nullable: true,
    description: 'Which schedules, as for `schedules`. Default: all.',
  })
  readonly filter?: object;
}

@ObjectType({ description: 'Changes in a list of schedules.' })
class SchedulesChange {
  @Field(() => [Schedule], {
    description:
      'Current schedules of the list that were created or changed, are due at another time, or got or lost a webhook. Unordered.',
  })
  readonly changed!: readonly Schedule[];

  @Field(() => [ID], {
    description:
      'Global ids of schedules that left the list: deleted, or no longer matching the filter.',
  })
  readonly removedIds!: readonly string[];
}

@Resolver()
export class SchedulesChangedResolver {
  @Subscription(() => SchedulesChange, {
    description:
      'Changes in a list of schedules, at most four messages per second. For their runs see `runsChanged`. The first message is sent at once and is empty: read the list after it to miss nothing. In a list of more than 500, removals are reported for the first 500 by title and for those that were reported before.',
    subscribe: ({
      args,
      context,
    }: {
      readonly args: SchedulesChangedArgs;
      readonly context: GraphqlContext;
    }) =>
      context.services.scheduleRecords.changes(
        () => context.actorNow(),
        toQuery(args.filter, SCHEDULE_FIELDS),
        { most: args.first, signal: context.signal },
      ),
  })
  @Needs(schedulePolicy.read)
  schedulesChanged(
    @Root() { changed, removedIds }: ListChange<ScheduleRecord>,
    @Args() _args: SchedulesChangedArgs,
  ) {
    return { changed, removedIds: removedIds.map((id) => globalId('Schedule', id)) };
  }
}
