import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import { VersionedInput } from '../../platform/graphql/payload';
import {
  ALL_OF,
  ANY_OF,
  DateTimeFilter,
  IdFilter,
  NameFilter,
  NONE_OF,
  StringFilter,
} from '../../platform/graphql/filters';
import { orderInput } from '../../platform/graphql/connection';
import { Upload } from '../../platform/graphql/scalars';

@InputType({ description: 'A workflow to make a template of.' })
export class TemplateCreateInput {
  @Field(() => ID, {
    description: 'The workflow, global or integer id. Needs CONNECTION:READ, too.',
  })
  readonly workflowId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'What the template is called, 255 characters at most. Without it: the title of the workflow.',
  })
  readonly name?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What it is for, 4,000 characters at most. Without it: the description of the workflow.',
  })
  readonly description?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Under which license it may be used, 255 characters at most.',
  })
  readonly license?: string | null;
}

@InputType({ description: 'A file with templates.' })
export class TemplateImportInput {
  @Field(() => Upload, {
    description:
      'A JSON file with one template, which replaces the one with the same id; or a zip archive of them, each of which gets a new id.',
  })
  readonly file!: Promise<FileUpload>;
}

@InputType({ description: 'Which connector takes a place that a template leaves open.' })
export class TemplateConnectorChoiceInput {
  @Field(() => Int, {
    defaultValue: 1,
    description: 'The place, by its number in `Template.connectors`.',
  })
  readonly slot!: number;

  @Field(() => ID, {
    description: 'The connector, integer or global id; one of the invoker that is wanted.',
  })
  readonly connectorId!: string;
}

@InputType({ description: 'A template to make a workflow of.' })
export class TemplateInstantiateInput {
  @Field(() => ID, { description: 'The template, global or integer id.' })
  readonly templateId!: string;

  @Field(() => [TemplateConnectorChoiceInput], {
    defaultValue: [],
    description: 'A connector for each place that the template leaves open.',
  })
  readonly connectors!: TemplateConnectorChoiceInput[];

  @Field(() => String, {
    nullable: true,
    description:
      'Title of the workflow. Without it: the name of the template, or the first free title made of it.',
  })
  readonly title?: string | null;
}

@InputType({ description: 'A template to delete.' })
export class TemplateDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;
}

export const TemplateOrderField = {
  DATABASE_ID: 'DATABASE_ID',
  NAME: 'NAME',
  CREATED_AT: 'CREATED_AT',
  UPDATED_AT: 'UPDATED_AT',
} as const;
registerEnumType(TemplateOrderField, {
  name: 'TemplateOrderField',
  description: 'What templates can be ordered by.',
  valuesConfig: {
    DATABASE_ID: { description: 'The integer id.' },
    NAME: { description: 'Name, without regard to case.' },
    CREATED_AT: { description: 'When they were added.' },
    UPDATED_AT: { description: 'When they were changed last.' },
  },
});

export const TemplateOrder = orderInput(TemplateOrderField, 'TemplateOrder');

@InputType({ description: 'Which templates; all that are given must hold.' })
export class TemplateFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These templates.' })
  readonly id?: IdFilter;

  @Field(() => StringFilter, {
    nullable: true,
    description: 'The UUID by which REST and files know them.',
  })
  readonly templateId?: StringFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly name?: NameFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they were added.' })
  readonly createdAt?: DateTimeFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they were changed last.' })
  readonly updatedAt?: DateTimeFilter;

  @Field(() => [TemplateFilter], { nullable: true, description: ALL_OF })
  readonly and?: TemplateFilter[];

  @Field(() => [TemplateFilter], { nullable: true, description: ANY_OF })
  readonly or?: TemplateFilter[];

  @Field(() => TemplateFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}
