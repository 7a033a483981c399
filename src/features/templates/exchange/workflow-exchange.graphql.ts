import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { BadInput } from '../../../platform/errors/errors';
import { Needs, ServedOnFullDisk } from '../../../platform/graphql/schema/needs';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { payload } from '../../../platform/graphql/schema/payload';
import { payloadType } from '../../../platform/graphql/schema/record-types';
import { JSONValue, Upload } from '../../../platform/graphql/schema/scalars';
import { readUpload } from '../../../platform/graphql/schema/upload';
import { workflowPolicy } from '../../workflows/workflow.policy';
import { Workflow } from '../../workflows/workflow.types';
import { TemplateConnector, TemplateConnectorChoiceInput } from '../template.types';

@ObjectType({
  description:
    'An exported workflow. It contains names of invokers and secrets, but no connectors or values.',
})
class WorkflowFile {
  @Field(() => String, { description: 'Suggested file name.' })
  readonly fileName!: string;

  @Field(() => JSONValue, { description: 'Content of the file, as `workflowImport` accepts it.' })
  readonly content!: object;

  @Field(() => [TemplateConnector], {
    description: 'The connector slots to be filled on import.',
  })
  readonly connectors!: readonly TemplateConnector[];

  @Field(() => [String], {
    description:
      'Names of the secrets it uses, in lower case. They must exist before the workflow runs.',
  })
  readonly secrets!: readonly string[];

  @Field(() => [String], {
    description:
      'Paths of values that were removed from the workflow, at most 200. The values there are empty.',
  })
  readonly leftOut!: readonly string[];
}

const WorkflowExportPayload = payloadType(
  'WorkflowExportPayload',
  'file',
  WorkflowFile,
  'A workflow that was exported.',
  'Null if the workflow does not exist.',
);
const WorkflowImportPayload = payloadType(
  'WorkflowImportPayload',
  'workflow',
  Workflow,
  'A workflow that was imported.',
  'Null if none was created.',
);

const WorkflowExportInput = inputType('WorkflowExportInput', 'A workflow to export.', {
  workflowId: [ID, 'The workflow: global id or integer.'],
});
type WorkflowExportInput = InstanceType<typeof WorkflowExportInput>;

const WorkflowImportInput = inputType(
  'WorkflowImportInput',
  'A workflow to import: exactly one of `file` and `content`.',
  {
    file: [optional(Upload), 'The file.'],
    content: [optional(JSONValue), 'Content of the file.'],
    connectors: [
      [TemplateConnectorChoiceInput],
      'A connector for each slot of the file. Default for a slot: the connector with the same title and invoker, if there is one.',
      [],
    ],
    title: [
      optional(String),
      'Title of the workflow. Default: the title in the file, or the first free title derived from it.',
    ],
  },
);
type WorkflowImportInput = InstanceType<typeof WorkflowImportInput>;

@Resolver()
export class WorkflowExchangeResolver {
  @Mutation(() => WorkflowExportPayload, {
    description:
      'Exports a workflow as a file for this or another installation. The file contains names of invokers and secrets, but no connectors, credentials or values.',
  })
  @ServedOnFullDisk()
  @Needs(workflowPolicy.read)
  workflowExport(
    @Arg('input') { workflowId }: WorkflowExportInput,
    @Ctx() { services }: GraphqlContext,
  ) {
    return payload(
      'file',
      async (ids) => {
        const id = ids.read('Workflow', workflowId, ['workflowId']);
        const content = await services.workflowExchange.export(id);
        const { connectors, secrets, leftOut } = content;
        return { fileName: `workflow-${id}.json`, content, connectors, secrets, leftOut };
      },
      [[['id'], ['workflowId']]],
    );
  }

  @Mutation(() => WorkflowImportPayload, {
    description: 'Creates a workflow from a file of `workflowExport`.',
  })
  @Needs(workflowPolicy.create)
  workflowImport(
    @Arg('input') { file, content, connectors, title }: WorkflowImportInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('workflow', async (ids) => {
      const choices = connectors.map(({ slot, connectorId }, at) => ({
        slot,
        connectorId: ids.read('Connector', connectorId, ['connectors', at, 'connectorId']),
      }));
      if ((file == null) === (content == null))
        throw new BadInput('ONE_OF_REQUIRED', 'Give exactly one of `file` and `content`.', {
          path: ['file'],
        });
      const source =
        file == null
          ? { content }
          : (await readUpload(file, services.workflowExchange.fileBytes)).bytes;
      return (
        await services.workflowExchange.import(actor, {
          file: source,
          connectors: choices,
          title: title ?? null,
        })
      ).record;
    });
  }
}
