import { Ctx, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import { workflowPolicy } from '../workflows/workflow.policy';
import { WorkflowPayload } from '../workflows/workflow.types';

@Resolver()
export class ExampleResolver {
  @Mutation(() => WorkflowPayload, {
    description:
      'Creates an example that can run at once: it reads tickets and creates cards, in a loop with a condition. Both systems are the service itself.',
  })
  @Needs(workflowPolicy.create)
  exampleWorkflowCreate(@Ctx() { actor, services }: GraphqlContext) {
    return payload('workflow', () => services.exampleWorkflows.create(actor));
  }
}
