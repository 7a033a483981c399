import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import {
  DateTimeFilter,
  IdFilter,
  NameFilter,
  StringFilter,
} from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import { DateTime, Upload } from '../../platform/graphql/schema/scalars';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import {
  VersionedIdInput,
  filterType,
  listArgs,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { Job } from '../jobs/job.types';
import type { ContentRef } from '../workflows/workflow.model';
import { Author, Workflow } from '../workflows/workflow.types';
import type { ConnectorSlot } from './body/connector-slots';
import { templatePolicy } from './template.policy';
import { TEMPLATE_LENGTHS } from './template.rules';
import { inCharacters } from '../../platform/text/characters';

export const TemplateViewerCan = viewerCanType('TemplateViewerCan', templatePolicy);

@ObjectType({
  description: 'A connector slot of a template: to be filled when a workflow is created.',
})
export class TemplateConnector {
  @Field(() => Int, { description: 'Number of the slot, from 1. Choices refer to it.' })
  readonly slot!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the invoker that the connector must have; null if any connector is accepted.',
  })
  readonly invoker!: string | null;

  @Field(() => String, {
    description: 'Title of the original connector.',
  })
  readonly title!: string;
}

@ObjectType({
  implements: Node,
  description: 'A workflow without connectors and secrets, from which workflows are created.',
})
export class Template {
  readonly _id!: number;
  readonly content!: ContentRef;
  readonly connectors!: readonly ConnectorSlot[];
  readonly warnings?: readonly string[];

  @Field(() => String, { description: 'The UUID used by REST and in files. Not a global id.' })
  readonly templateId!: string;

  @Field(() => String, { description: 'Name of the template.' })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: 'Description for users.' })
  readonly description!: string | null;

  @Field(() => String, { nullable: true, description: 'License of the template.' })
  readonly license!: string | null;

  @Field(() => String, {
    description:
      'Version of the product whose form it has. Templates of older versions are converted.',
  })
  readonly productVersion!: string;

  @Field(() => [String], {
    description:
      'Paths of secrets that were removed from its workflow, at most 200. The values there are empty.',
  })
  readonly leftOut!: readonly string[];

  @Field(() => Int, {
    description: 'Number of changes. Pass it as `expectedVersion` to detect concurrent changes.',
  })
  readonly version!: number;

  @Field(() => DateTime, { description: 'Time of creation.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'The user who created it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'Time of the last change.' })
  readonly updatedAt!: Date;

  @Field(() => Author, { description: 'The user who changed it last.' })
  readonly updatedBy!: Author;
}

export const TemplateConnection = ConnectionOf(Template, 'TemplateConnection');

export const TemplatePayload = payloadType(
  'TemplatePayload',
  'template',
  Template,
  'A template that was created, changed or deleted.',
);
export const TemplateImportPayload = payloadType(
  'TemplateImportPayload',
  'job',
  Job,
  'The job that imports templates.',
  'Null if nothing was started. Its result is a list of `id` (the UUID), `path` (the download URL) and, if something was assumed about the file, `warnings`.',
);
export const TemplateInstantiatePayload = payloadType(
  'TemplateInstantiatePayload',
  'workflow',
  Workflow,
  'The workflow that was created from a template.',
  'Null if none was created.',
);

export const TemplateCreateInput = inputType(
  'TemplateCreateInput',
  'A workflow to create a template from.',
  {
    workflowId: [ID, 'The workflow: global id or integer. Also needs CONNECTION:READ.'],
    name: [
      optional(String),
      `Name of the template, at most ${inCharacters(TEMPLATE_LENGTHS.name)}. Default: the title of the workflow.`,
    ],
    description: [
      optional(String),
      `Description for users, at most ${inCharacters(TEMPLATE_LENGTHS.description)}. Default: the description of the workflow.`,
    ],
    license: [
      optional(String),
      `License of the template, at most ${inCharacters(TEMPLATE_LENGTHS.license)}.`,
    ],
  },
);
export type TemplateCreateInput = InstanceType<typeof TemplateCreateInput>;

export const TemplateImportInput = inputType('TemplateImportInput', 'A file with templates.', {
  file: [
    Upload,
    'A JSON file with one template, which replaces an existing one with the same id; or a zip archive of such files, whose templates get new ids.',
  ],
});
export type TemplateImportInput = InstanceType<typeof TemplateImportInput>;

export const TemplateConnectorChoiceInput = inputType(
  'TemplateConnectorChoiceInput',
  'A connector for a connector slot.',
  {
    slot: [Int, 'Number of the slot, as in `Template.connectors`.', 1],
    connectorId: [ID, 'The connector: global id or integer. It must have the invoker of the slot.'],
  },
);

export const TemplateInstantiateInput = inputType(
  'TemplateInstantiateInput',
  'A template to create a workflow from.',
  {
    templateId: [ID, 'The template: global id or integer.'],
    connectors: [[TemplateConnectorChoiceInput], 'A connector for each slot of the template.', []],
    title: [
      optional(String),
      'Title of the workflow. Default: the name of the template, or the first free title derived from it.',
    ],
  },
);
export type TemplateInstantiateInput = InstanceType<typeof TemplateInstantiateInput>;

@InputType({ description: 'A template to delete.' })
export class TemplateDeleteInput extends VersionedIdInput {}

const TemplateOrder = orderType('TemplateOrder', {
  DATABASE_ID: 'The integer id.',
  NAME: 'Name, without regard to case.',
  CREATED_AT: 'The time of creation.',
  UPDATED_AT: 'The time of the last change.',
});

const TemplateFilter = filterType('TemplateFilter', 'templates', {
  id: [IdFilter, 'Ids of templates.'],
  templateId: [StringFilter, 'The UUID used by REST and in files.'],
  name: [NameFilter, 'The name.'],
  createdAt: [DateTimeFilter, 'Time of creation.'],
  updatedAt: [DateTimeFilter, 'Time of the last change.'],
});

export const TemplatesArgs = listArgs('templates', TemplateFilter, TemplateOrder, 'by name');
