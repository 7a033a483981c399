import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { inputType } from '../../../platform/graphql/schema/input-type';
import { Needs } from '../../../platform/graphql/schema/needs';
import { payload } from '../../../platform/graphql/schema/payload';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import { Workflow, WorkflowPayload } from '../workflow.types';

export const WorkflowResumeSetInput = inputType(
  'WorkflowResumeSetInput',
  'Whether runs of a workflow go on after a crash.',
  {
    workflowId: [ID, 'Global or integer id.'],
    resume: [Boolean, 'Whether they do.'],
  },
);
export type WorkflowResumeSetInput = InstanceType<typeof WorkflowResumeSetInput>;

@Resolver(() => Workflow)
export class ResumeSettingsResolver {
  @Mutation(() => WorkflowPayload, {
    description:
      'Sets whether runs of a workflow go on where they were after a crash or a stop of the service, from the next start on. Their answers are kept encrypted until they end.',
  })
  @Needs(workflowPolicy.update)
  workflowResumeSet(
    @Arg('input') { workflowId, resume }: WorkflowResumeSetInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'workflow',
      (ids) =>
        services.resumeSettings.set(
          actor,
          ids.read('Workflow', workflowId, ['workflowId']),
          resume,
        ),
      [[['id'], ['workflowId']]],
    );
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether its runs go on where they were after a crash or a stop of the service.',
  })
  resume(@Root() { resume }: WorkflowRecord): boolean {
    return resume === true;
  }
}
