import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import {
  ListPayload,
  MutationPayload,
  VersionedInput,
  WHICH_IDS,
} from '../../platform/graphql/payload';
import {
  ALL_OF,
  ANY_OF,
  BooleanFilter,
  DateTimeFilter,
  ExactIdFilter,
  ExactStringFilter,
  IdFilter,
  NONE_OF,
  StringFilter,
} from '../../platform/graphql/filters';
import { Node } from '../../platform/graphql/node';
import { DateTime } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { WorkflowInput } from './workflow-input.types';
import type { Author as AuthorRecord, ContentRef } from './workflow.model';
import { workflowPolicy } from './workflow.policy';

export const WorkflowViewerCan = viewerCanType('WorkflowViewerCan', workflowPolicy);

@ObjectType({ description: 'A user at the time of their action.' })
export class Author implements AuthorRecord {
  @Field(() => Int, { description: 'Integer id of the user; 0 is the service itself.' })
  readonly userId!: number;

  @Field(() => String, { description: 'Their e-mail address at that time.' })
  readonly email!: string;
}

@ObjectType({
  implements: Node,
  description:
    'Steps that call remote systems, with loops and conditions between them. REST calls it a connection.',
})
export class Workflow {
  readonly _id!: number;
  readonly content!: ContentRef;

  @Field(() => String, { description: 'Unique, without regard to case.' })
  readonly title!: string;

  @Field(() => String, { nullable: true, description: 'Its purpose.' })
  readonly description!: string | null;

  @Field(() => Boolean, {
    description:
      'True for a workflow of a test run: it is hidden from lists, and its runs are not counted.',
  })
  readonly test!: boolean;

  @Field(() => Int, {
    description:
      'Starts at 1 and increases with each save. Send it as `expectedVersion` to not overwrite the save of another user.',
  })
  readonly version!: number;

  @Field(() => DateTime, { description: 'Time of the first save.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'The user who saved it first.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'Time of the last save.' })
  readonly updatedAt!: Date;

  @Field(() => Author, { description: 'The user who saved it last.' })
  readonly updatedBy!: Author;

  readonly lastRunId!: number | null;
}

export const WorkflowConnection = ConnectionOf(Workflow, 'WorkflowConnection');

@ObjectType({ description: 'The state of a workflow after one save.' })
export class WorkflowVersion {
  readonly _id!: string;
  readonly content!: ContentRef;

  @Field(() => Int, { description: 'Number of the save, from 1.' })
  readonly number!: number;

  @Field(() => String, { description: 'The title of the workflow in this version.' })
  readonly title!: string;

  @Field(() => Author, { description: 'The user who saved it.' })
  readonly author!: Author;

  @Field(() => DateTime, { description: 'Time of the save.' })
  readonly createdAt!: Date;

  @Field(() => String, { nullable: true, description: 'Comment of the author.' })
  readonly comment!: string | null;
}

export const WorkflowVersionConnection = ConnectionOf(WorkflowVersion, 'WorkflowVersionConnection');

@ObjectType({
  description: 'The workflow after the mutation; a deleted workflow as it was before.',
})
export class WorkflowPayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null if nothing was changed.' })
  readonly workflow!: Workflow | null;
}

@ObjectType({ description: 'Workflows that were deleted.' })
export class WorkflowsPayload extends ListPayload {
  @Field(() => [Workflow], {
    nullable: true,
    description: 'The deleted workflows; null if nothing was changed.',
  })
  readonly workflows!: Workflow[] | null;
}

@InputType({ description: 'A workflow to save.' })
export class WorkflowSaveInput extends VersionedInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The workflow to change. Without it a new workflow is created.',
  })
  readonly id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Comment on this version; at most 500 characters.',
  })
  readonly comment?: string | null;

  @Field(() => WorkflowInput, {
    description: 'The content: complete for a new workflow, else the changes.',
  })
  readonly workflow!: WorkflowInput;
}

@InputType({ description: 'A workflow to delete.' })
export class WorkflowDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;
}

@InputType({ description: 'Workflows to delete.' })
export class WorkflowIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];
}

export const WorkflowOrderField = {
  DATABASE_ID: 'DATABASE_ID',
  TITLE: 'TITLE',
  CREATED_AT: 'CREATED_AT',
  UPDATED_AT: 'UPDATED_AT',
} as const;
registerEnumType(WorkflowOrderField, {
  name: 'WorkflowOrderField',
  description: 'Fields by which workflows can be ordered.',
  valuesConfig: {
    DATABASE_ID: { description: 'The integer id.' },
    TITLE: { description: 'The title, without regard to case.' },
    CREATED_AT: { description: 'Time of the first save.' },
    UPDATED_AT: { description: 'Time of the last save.' },
  },
});

export const WorkflowOrder = orderInput(WorkflowOrderField, 'WorkflowOrder');

@InputType({ description: 'Selects workflows that match all given conditions.' })
export class WorkflowFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These workflows.' })
  readonly id?: IdFilter;

  @Field(() => StringFilter, { nullable: true, description: 'Their title.' })
  readonly title?: StringFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'Time of the first save.' })
  readonly createdAt?: DateTimeFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'Time of the last save.' })
  readonly updatedAt?: DateTimeFilter;

  @Field(() => IdFilter, { nullable: true, description: 'The users who saved them last.' })
  readonly updatedBy?: IdFilter;

  @Field(() => BooleanFilter, {
    nullable: true,
    description: 'Workflows of test runs; needs `includeTest`.',
  })
  readonly test?: BooleanFilter;

  @Field(() => ExactIdFilter, { nullable: true, description: 'A step calls this connector.' })
  readonly connector?: ExactIdFilter;

  @Field(() => ExactStringFilter, {
    nullable: true,
    description:
      'The workflow names this invoker itself, as imported workflows do; without regard to case.',
  })
  readonly invoker?: ExactStringFilter;

  @Field(() => ExactStringFilter, {
    nullable: true,
    description: 'The workflow uses the secret with this name, without regard to case.',
  })
  readonly secret?: ExactStringFilter;

  @Field(() => ExactIdFilter, {
    nullable: true,
    description: 'A method uses this aggregator.',
  })
  readonly aggregator?: ExactIdFilter;

  @Field(() => IdFilter, {
    nullable: true,
    description: 'The workflow is in one of these categories.',
  })
  readonly category?: IdFilter;

  @Field(() => [WorkflowFilter], { nullable: true, description: ALL_OF })
  readonly and?: WorkflowFilter[];

  @Field(() => [WorkflowFilter], { nullable: true, description: ANY_OF })
  readonly or?: WorkflowFilter[];

  @Field(() => WorkflowFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}
