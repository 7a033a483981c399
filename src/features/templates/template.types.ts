import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/connection';
import { Node } from '../../platform/graphql/node';
import { MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { Job } from '../jobs/job.types';
import type { ContentRef } from '../workflows/workflow.model';
import { Author, Workflow } from '../workflows/workflow.types';
import type { ConnectorSlot } from './body/connector-slots';
import { templatePolicy } from './template.policy';

export const TemplateViewerCan = viewerCanType('TemplateViewerCan', templatePolicy);

@ObjectType({ description: 'A connector that a template leaves open.' })
export class TemplateConnector {
  @Field(() => Int, { description: 'Its number, from 1: a choice names it.' })
  readonly slot!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the invoker that the connector must have; null when the template does not say, so that any will do.',
  })
  readonly invoker!: string | null;

  @Field(() => String, {
    description: 'What the connector was called where the template was made.',
  })
  readonly title!: string;
}

@ObjectType({
  implements: Node,
  description: 'A workflow without connectors and secrets, to be made into workflows.',
})
export class Template {
  readonly _id!: number;
  readonly content!: ContentRef;
  readonly connectors!: readonly ConnectorSlot[];
  readonly warnings?: readonly string[];

  @Field(() => String, { description: 'The UUID by which REST and files know it. No global id.' })
  readonly templateId!: string;

  @Field(() => String, { description: 'What it is called.' })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: 'What it is for, for people to read.' })
  readonly description!: string | null;

  @Field(() => String, { nullable: true, description: 'Under which license it may be used.' })
  readonly license!: string | null;

  @Field(() => String, {
    description:
      'Version of the product whose form it has. Those of older versions were converted.',
  })
  readonly productVersion!: string;

  @Field(() => [String], {
    description:
      'Places in its workflow where a secret stood that did not come along; they are empty. 200 at most.',
  })
  readonly leftOut!: readonly string[];

  @Field(() => Int, { description: 'Counts changes, for `expectedVersion`.' })
  readonly version!: number;

  @Field(() => DateTime, { description: 'When it was added.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'Who added it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'When it was changed last.' })
  readonly updatedAt!: Date;

  @Field(() => Author, { description: 'Who changed it last.' })
  readonly updatedBy!: Author;
}

export const TemplateConnection = ConnectionOf(Template, 'TemplateConnection');

@ObjectType({ description: 'The template that a mutation is about.' })
export class TemplatePayload extends MutationPayload {
  @Field(() => Template, { nullable: true, description: 'Null when nothing was changed.' })
  readonly template!: Template | null;
}

@ObjectType({ description: 'The job that imports templates.' })
export class TemplateImportPayload extends MutationPayload {
  @Field(() => Job, {
    nullable: true,
    description:
      'Null when nothing was begun. Its result: a list of `id`, the UUID, `path`, where the file is downloaded, and where something was assumed of the file `warnings`.',
  })
  readonly job!: Job | null;
}

@ObjectType({ description: 'The workflow that was made of a template.' })
export class TemplateInstantiatePayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null when none was made.' })
  readonly workflow!: Workflow | null;
}
