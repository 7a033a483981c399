import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/connection';
import { Node } from '../../platform/graphql/node';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import type { Author as AuthorRecord, ContentRef } from './workflow.model';
import { workflowPolicy } from './workflow.policy';

export const WorkflowViewerCan = viewerCanType('WorkflowViewerCan', workflowPolicy);

@ObjectType({ description: 'Who did something, as he was known then.' })
export class Author implements AuthorRecord {
  @Field(() => Int, { description: 'Integer id of the user; 0 is the service itself.' })
  readonly userId!: number;

  @Field(() => String, { description: 'His e-mail address at the time.' })
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

  @Field(() => String, { nullable: true, description: 'What it is for.' })
  readonly description!: string | null;

  @Field(() => Boolean, {
    description: 'Made for a test run: hidden from lists, and its runs are not counted.',
  })
  readonly test!: boolean;

  @Field(() => Int, {
    description:
      'Counts saves from 1. Send it as `expectedVersion` to not overwrite what a colleague saved.',
  })
  readonly version!: number;

  @Field(() => DateTime, { description: 'When it was saved first.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'Who saved it first.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'When it was saved last.' })
  readonly updatedAt!: Date;

  @Field(() => Author, { description: 'Who saved it last.' })
  readonly updatedBy!: Author;

  readonly lastRunId!: number | null;
}

export const WorkflowConnection = ConnectionOf(Workflow, 'WorkflowConnection');

@ObjectType({ description: 'The state of a workflow after one save.' })
export class WorkflowVersion {
  readonly _id!: string;
  readonly content!: ContentRef;

  @Field(() => Int, { description: 'Counts saves from 1.' })
  readonly number!: number;

  @Field(() => String, { description: 'The title then.' })
  readonly title!: string;

  @Field(() => Author, { description: 'Who saved it.' })
  readonly author!: Author;

  @Field(() => DateTime, { description: 'When it was saved.' })
  readonly createdAt!: Date;

  @Field(() => String, { nullable: true, description: 'What the author said about it.' })
  readonly comment!: string | null;
}

export const WorkflowVersionConnection = ConnectionOf(WorkflowVersion, 'WorkflowVersionConnection');

@ObjectType({ description: 'The workflow that a mutation is about; a deleted one as it was.' })
export class WorkflowPayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null when nothing was changed.' })
  readonly workflow!: Workflow | null;
}

@ObjectType({ description: 'Workflows that were deleted.' })
export class WorkflowsPayload extends ListPayload {
  @Field(() => [Workflow], {
    nullable: true,
    description: 'The workflows as they were; null when nothing was changed.',
  })
  readonly workflows!: Workflow[] | null;
}
