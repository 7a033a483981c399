import { Field, ID, InputType } from 'type-graphql';
import { VersionedInput } from '../../../platform/graphql/expected-version';

const WORKFLOW = 'Id of the workflow, global or integer.';
const SNAPSHOT = 'The version: its `snapshotId`.';

@InputType({ description: 'A version to make the current one.' })
export class WorkflowVersionSwitchInput extends VersionedInput {
  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => String, { description: SNAPSHOT })
  readonly snapshotId!: string;
}

@InputType({ description: 'What is to be remembered about a version.' })
export class WorkflowVersionUpdateInput {
  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => String, { description: SNAPSHOT })
  readonly snapshotId!: string;

  @Field(() => String, { nullable: true, description: 'What is remarkable about it, 500 characters at most; null for nothing.' })
  readonly comment?: string | null;
}

@InputType({ description: 'A version to delete.' })
export class WorkflowVersionDeleteInput {
  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => String, { description: SNAPSHOT })
  readonly snapshotId!: string;
}

@InputType({ description: 'A workflow to copy.' })
export class WorkflowDuplicateInput {
  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => String, { nullable: true, description: 'Title of the copy. Without it: that of the workflow with `(copy)` behind it, and a number where that is taken.' })
  readonly title?: string | null;
}
