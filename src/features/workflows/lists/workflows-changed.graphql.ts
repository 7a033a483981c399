import { Args, ArgsType, Field, ID, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { globalId } from '../../../platform/graphql/schema/ids';
import { ListChangedArgs } from '../../../platform/graphql/schema/connection';
import { Needs } from '../../../platform/graphql/schema/needs';
import type { ListChange } from '../../../platform/store/lists/live-list';
import { toQuery } from '../../../platform/store/lists/filter';
import { WORKFLOW_FIELDS } from '../workflow.graphql';
import { Workflow, WorkflowFilter } from '../workflow.types';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';

@ArgsType()
class WorkflowsChangedArgs extends ListChangedArgs {
  @Field(() => WorkflowFilter, {
    nullable: true,
    description: 'Selects workflows, like `workflows`. Default: all.',
  })
  readonly filter?: object;

  @Field(() => Boolean, { defaultValue: false, description: 'Includes workflows of test runs.' })
  readonly includeTest!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Also sends workflows of which something next to the steps has changed: `presence`, `samples` or `rules`.',
  })
  readonly includePresence!: boolean;
}

@ObjectType({ description: 'Changes of a list of workflows.' })
class WorkflowsChange {
  @Field(() => [Workflow], {
    description: 'Current state of new and changed workflows of the list, in no particular order.',
  })
  readonly changed!: readonly Workflow[];

  @Field(() => [ID], {
    description:
      'Global ids of workflows that left the list: deleted, or no longer matching the filter.',
  })
  readonly removedIds!: readonly string[];
}

@Resolver()
export class WorkflowsChangedResolver {
  @Subscription(() => WorkflowsChange, {
    description:
      'Streams the changes of a list of workflows, at most four messages a second; for runs see `runsChanged`. The first message is sent at once and is empty: read the list then, so that no change is missed. For lists of more than 500 workflows, removals are reported only of the newest ones and of those reported before.',
    subscribe: ({
      args,
      context,
    }: {
      readonly args: WorkflowsChangedArgs;
      readonly context: GraphqlContext;
    }) =>
      context.services.workflowLists.changes(
        () => context.actorNow(),
        toQuery(args.filter, WORKFLOW_FIELDS),
        {
          includeTest: args.includeTest,
          includeParts: args.includePresence,
          most: args.first,
          signal: context.signal,
        },
      ),
  })
  @Needs(workflowPolicy.read)
  workflowsChanged(
    @Root() { changed, removedIds }: ListChange<WorkflowRecord>,
    @Args() _args: WorkflowsChangedArgs,
  ) {
    return { changed, removedIds: removedIds.map((id) => globalId('Workflow', id)) };
  }
}
