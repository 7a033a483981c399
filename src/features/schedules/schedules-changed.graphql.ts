import { Args, ArgsType, Field, ID, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { globalId } from '../../platform/graphql/ids';
import { ListChangedArgs } from '../../platform/graphql/connection';
import { Needs } from '../../platform/graphql/needs';
import { toQuery } from '../../platform/store/filter';
import type { ListChange } from '../../platform/store/live-list';
import { SCHEDULE_FIELDS } from './schedule.graphql';
import { ScheduleFilter } from './schedule.inputs';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';
import { Schedule } from './schedule.types';

@ArgsType()
class SchedulesChangedArgs extends ListChangedArgs {
  @Field(() => ScheduleFilter, {
    nullable: true,
    description: 'Which schedules, as of `schedules`. Without it: all.',
  })
  readonly filter?: ScheduleFilter;
}

@ObjectType({ description: 'What has changed in a list of schedules.' })
export class SchedulesChange {
  @Field(() => [Schedule], {
    description:
      'Schedules of the list as they are now: new ones, and those that were changed, are due at another time, or got or lost a webhook. In no order.',
  })
  readonly changed!: readonly Schedule[];

  @Field(() => [ID], {
    description:
      'Global ids of schedules that are no more in the list: deleted, or not as the filter asks.',
  })
  readonly removedIds!: readonly string[];
}

@Resolver()
export class SchedulesChangedResolver {
  @Subscription(() => SchedulesChange, {
    description:
      'What changes in a list of schedules, four messages a second at most; of their runs `runsChanged` tells. The first comes at once and is empty: read the list then, and nothing is missed. Of a list of more than 500, removals of the first by title are told, and of those that were told.',
    subscribe: ({
      args,
      context,
    }: {
      readonly args: SchedulesChangedArgs;
      readonly context: GraphqlContext;
    }) =>
      context.services.schedules.changes(
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
