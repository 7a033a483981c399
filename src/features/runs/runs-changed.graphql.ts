import {
  Args,
  ArgsType,
  Ctx,
  Field,
  ID,
  ObjectType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { globalId } from '../../platform/graphql/ids';
import { ListChangedArgs } from '../../platform/graphql/connection';
import { Needs } from '../../platform/graphql/needs';
import type { ListChange } from '../../platform/store/live-list';
import { toQuery } from '../../platform/store/filter';
import { RUN_FIELDS } from './run.graphql';
import type { RunRecord } from './run.model';
import { maySee, runPolicy } from './run.policy';
import { Run, RunFilter } from './run.types';

@ArgsType()
class RunsChangedArgs extends ListChangedArgs {
  @Field(() => RunFilter, {
    nullable: true,
    description: 'Which runs, as of `runs`. Without it: all.',
  })
  readonly filter?: RunFilter;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Also test runs: your own; administrators see all.',
  })
  readonly includeTest!: boolean;
}

@ObjectType({ description: 'What has changed in a list of runs.' })
export class RunsChange {
  @Field(() => [Run], {
    description:
      'Runs of the list as they are now: new ones, and those whose state is another or whose log is gone. In no order.',
  })
  readonly changed!: readonly Run[];

  @Field(() => [ID], {
    description:
      'Global ids of runs that are no more in the list: removed, not as the filter asks, or not for you to see.',
  })
  readonly removedIds!: readonly string[];
}

@Resolver()
export class RunsChangedResolver {
  @Subscription(() => RunsChange, {
    description:
      'What changes in a list of runs, four messages a second at most. The first comes at once and is empty: read the list then, and nothing is missed. Of a list of more than 500, removals of the newest are told, and of those that were told.',
    subscribe: ({
      args,
      context,
    }: {
      readonly args: RunsChangedArgs;
      readonly context: GraphqlContext;
    }) =>
      context.services.runs.changes(() => context.actorNow(), toQuery(args.filter, RUN_FIELDS), {
        includeTest: args.includeTest,
        most: args.first,
        signal: context.signal,
      }),
  })
  @Needs(runPolicy.read)
  runsChanged(
    @Root() { changed, removedIds }: ListChange<RunRecord>,
    @Args() _args: RunsChangedArgs,
    @Ctx() { actor }: GraphqlContext,
  ) {
    // The permission may be lost after the list was read: the next update removes the runs.
    return {
      changed: changed.filter((run) => maySee(actor, run)),
      removedIds: removedIds.map((id) => globalId('Run', id)),
    };
  }
}
