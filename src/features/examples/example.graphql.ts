import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { Needs } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import { workflowPolicy } from '../workflows/workflow.policy';
import { WorkflowPayload } from '../workflows/workflow.types';

const ExampleWorkflowCreateInput = inputType('ExampleWorkflowCreateInput', 'A workflow to try.', {
  title: [optional(String), 'Its title. Default: one that is free.'],
});
type ExampleWorkflowCreateInput = InstanceType<typeof ExampleWorkflowCreateInput>;

@Resolver()
export class ExampleResolver {
  @Mutation(() => WorkflowPayload, {
    description:
      'Creates an example that can run at once: it reads tickets and creates cards, in a loop with a condition. Both systems are the service itself.',
  })
  @Needs(workflowPolicy.create)
  exampleWorkflowCreate(
    @Arg('input', () => ExampleWorkflowCreateInput, {
      nullable: true,
      description: 'The example.',
    })
    input: ExampleWorkflowCreateInput | null | undefined,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('workflow', () => services.exampleWorkflows.create(actor, input?.title ?? null));
  }
}
