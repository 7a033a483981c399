import { Args, ArgsType, Field, ID, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { globalId } from '../../platform/graphql/ids';
import { ListChangedArgs } from '../../platform/graphql/connection';
import { Needs } from '../../platform/graphql/needs';
import type { ListChange } from '../../platform/store/live-list';
import { toQuery } from '../../platform/store/filter';
import { WORKFLOW_FIELDS } from './workflow.graphql';
import { WorkflowFilter } from './workflow.inputs';
import type { WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import { Workflow } from './workflow.types';

@ArgsType()
class WorkflowsChangedArgs extends ListChangedArgs {
  @Field(() => WorkflowFilter, {
    nullable: true,
    description: 'Which workflows, as of `workflows`. Without it: all.',
  })
  readonly filter?: WorkflowFilter;

  @Field(() => Boolean, { defaultValue: false, description: 'Also workflows made for test runs.' })
  readonly includeTest!: boolean;
}

@ObjectType({ description: 'What has changed in a list of workflows.' })
export class WorkflowsChange {
  @Field(() => [Workflow], {
    description:
      'Workflows of the list as they are now: new ones, and those that were saved or have another category. In no order.',
  })
  readonly changed!: readonly Workflow[];

  @Field(() => [ID], {
    description:
      'Global ids of workflows that are no more in the list: deleted, or not as the filter asks.',
  })
  readonly removedIds!: readonly string[];
}

@Resolver()
export class WorkflowsChangedResolver {
  @Subscription(() => WorkflowsChange, {
    description:
      'What changes in a list of workflows, four messages a second at most; of runs `runsChanged` tells. The first comes at once and is empty: read the list then, and nothing is missed. Of a list of more than 500, removals of the newest are told, and of those that were told.',
    subscribe: ({
      args,
      context,
    }: {
      readonly args: WorkflowsChangedArgs;
      readonly context: GraphqlContext;
    }) =>
      context.services.workflows.changes(
        () => context.actorNow(),
        toQuery(args.filter, WORKFLOW_FIELDS),
        { includeTest: args.includeTest, most: args.first, signal: context.signal },
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
