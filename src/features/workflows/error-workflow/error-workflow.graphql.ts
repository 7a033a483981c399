import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { Needs } from '../../../platform/graphql/schema/needs';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { payload } from '../../../platform/graphql/schema/payload';
import { workflowLoader } from '../workflow.loader';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import { Workflow, WorkflowPayload } from '../workflow.types';

export const ErrorWorkflowSetInput = inputType(
  'ErrorWorkflowSetInput',
  'The error workflow of a workflow.',
  {
    workflowId: [
      ID,
      'The workflow whose failed runs start the error workflow, global or integer id.',
    ],
    errorWorkflowId: [
      optional(ID),
      'The workflow to start when a run fails, global or integer id. Null or missing: none.',
    ],
  },
);
export type ErrorWorkflowSetInput = InstanceType<typeof ErrorWorkflowSetInput>;

@Resolver(() => Workflow)
export class ErrorWorkflowResolver {
  @Mutation(() => WorkflowPayload, {
    description:
      'Sets the workflow that is started when a run of this one FAILED or was INTERRUPTED, except test runs. Its parameters are `workflow` and `title`, `run`, `step` (null when the run failed as a whole), `code` and `message`.',
  })
  @Needs(workflowPolicy.update)
  errorWorkflowSet(
    @Arg('input') { workflowId, errorWorkflowId }: ErrorWorkflowSetInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'workflow',
      (ids) => {
        const [id, named] = [
          ids.read('Workflow', workflowId, ['workflowId']),
          errorWorkflowId == null
            ? null
            : ids.read('Workflow', errorWorkflowId, ['errorWorkflowId']),
        ];
        return services.errorWorkflows.set(actor, id, named);
      },
      [[['id'], ['workflowId']]],
    );
  }

  @FieldResolver(() => Workflow, {
    nullable: true,
    description:
      'The workflow that is started when a run of this one fails; null if there is none.',
  })
  async errorWorkflow(
    @Root() { errorWorkflowId }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WorkflowRecord | null> {
    return errorWorkflowId === undefined ? null : workflowLoader(context).load(errorWorkflowId);
  }
}
