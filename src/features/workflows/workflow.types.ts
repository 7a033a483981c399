import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import {
  BooleanFilter,
  DateTimeFilter,
  ExactIdFilter,
  ExactStringFilter,
  IdFilter,
  StringFilter,
} from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import {
  IdsInput,
  VersionedIdInput,
  deletedListType,
  filterType,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
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

@ObjectType({ description: 'A parameter of the webhook that starts a workflow.' })
export class WebhookVariable {
  @Field(() => String, { description: 'Its name, a path if it has dots: `ticket.id`.' })
  readonly name!: string;

  @Field(() => String, { description: 'The type that the workflow declares, as written.' })
  readonly type!: string;
}

@ObjectType({
  implements: Node,
  description: 'Steps that call remote systems, with loops and conditions between them.',
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

export const WorkflowPayload = payloadType(
  'WorkflowPayload',
  'workflow',
  Workflow,
  'The workflow after the mutation; a deleted workflow as it was before.',
);

export const WorkflowsPayload = deletedListType('WorkflowsPayload', 'workflows', Workflow);

@InputType({ description: 'A workflow to delete.' })
export class WorkflowDeleteInput extends VersionedIdInput {}

@InputType({ description: 'Workflows to delete.' })
export class WorkflowIdsInput extends IdsInput {}

export const WorkflowOrder = orderType('WorkflowOrder', {
  DATABASE_ID: 'The integer id.',
  TITLE: 'The title, without regard to case.',
  CREATED_AT: 'Time of the first save.',
  UPDATED_AT: 'Time of the last save.',
});

export const WorkflowFilter = filterType('WorkflowFilter', 'workflows', {
  id: [IdFilter, 'These workflows.'],
  title: [StringFilter, 'Their title.'],
  createdAt: [DateTimeFilter, 'Time of the first save.'],
  updatedAt: [DateTimeFilter, 'Time of the last save.'],
  updatedBy: [IdFilter, 'The users who saved them last.'],
  test: [BooleanFilter, 'Workflows of test runs; needs `includeTest`.'],
  connector: [ExactIdFilter, 'A step calls this connector.'],
  invoker: [
    ExactStringFilter,
    'The workflow names this invoker itself, as imported workflows do; without regard to case.',
  ],
  secret: [
    ExactStringFilter,
    'The workflow uses the secret with this name, without regard to case.',
  ],
  aggregator: [ExactIdFilter, 'A method uses this aggregator.'],
  category: [IdFilter, 'The workflow is in one of these categories.'],
});
