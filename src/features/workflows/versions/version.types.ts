import { Field, ObjectType } from 'type-graphql';
import { MutationPayload } from '../../../platform/graphql/payload';
import { WorkflowVersion } from '../workflow.types';

@ObjectType({ description: 'The version that a mutation is about; a deleted one as it was.' })
export class WorkflowVersionPayload extends MutationPayload {
  @Field(() => WorkflowVersion, { nullable: true, description: 'Null when nothing was changed.' })
  readonly workflowVersion!: WorkflowVersion | null;
}
