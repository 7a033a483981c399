import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import { MutationPayload } from '../../../platform/graphql/payload';
import { JSONValue, Upload } from '../../../platform/graphql/scalars';
import { Workflow } from '../../workflows/workflow.types';
import { TemplateConnectorChoiceInput } from '../template.inputs';
import { TemplateConnector } from '../template.types';

@ObjectType({
  description:
    'A workflow as it travels from one installation to another: names of invokers and secrets, never connectors or values.',
})
export class WorkflowFile {
  @Field(() => String, { description: 'What to call the file.' })
  readonly fileName!: string;

  @Field(() => JSONValue, { description: 'What is in it: what `workflowImport` takes.' })
  readonly content!: object;

  @Field(() => [TemplateConnector], {
    description: 'The connectors to be chosen where it is imported.',
  })
  readonly connectors!: readonly TemplateConnector[];

  @Field(() => [String], {
    description:
      'Names of the secrets it uses, in lower case; they are to be there before it runs.',
  })
  readonly secrets!: readonly string[];

  @Field(() => [String], {
    description: 'Places in its workflow where a value was left out; they are empty. 200 at most.',
  })
  readonly leftOut!: readonly string[];
}

@ObjectType({ description: 'A workflow that was exported.' })
export class WorkflowExportPayload extends MutationPayload {
  @Field(() => WorkflowFile, {
    nullable: true,
    description: 'Null when there is no such workflow.',
  })
  readonly file!: WorkflowFile | null;
}

@ObjectType({ description: 'A workflow that was imported.' })
export class WorkflowImportPayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null when none was made.' })
  readonly workflow!: Workflow | null;
}

@InputType({ description: 'A workflow to export.' })
export class WorkflowExportInput {
  @Field(() => ID, { description: 'The workflow, global or integer id.' })
  readonly workflowId!: string;
}

@InputType({ description: 'A workflow to import: exactly one of `file` and `content`.' })
export class WorkflowImportInput {
  @Field(() => Upload, { nullable: true, description: 'The file.' })
  readonly file?: Promise<FileUpload> | null;

  @Field(() => JSONValue, { nullable: true, description: 'What is in the file.' })
  readonly content?: unknown;

  @Field(() => [TemplateConnectorChoiceInput], {
    defaultValue: [],
    description:
      'A connector for each place that the file leaves open. One that is left out takes the connector with the title and the invoker that the file names, where there is one.',
  })
  readonly connectors!: TemplateConnectorChoiceInput[];

  @Field(() => String, {
    nullable: true,
    description:
      'Title of the workflow. Without it: that of the file, or the first free title made of it.',
  })
  readonly title?: string | null;
}
