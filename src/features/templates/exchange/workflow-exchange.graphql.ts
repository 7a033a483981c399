import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { BadInput } from '../../../platform/errors/errors';
import { Needs } from '../../../platform/graphql/needs';
import { payload } from '../../../platform/graphql/payload';
import { readUpload } from '../../../platform/graphql/upload';
import { workflowPolicy } from '../../workflows/workflow.policy';
import {
  WorkflowExportInput,
  WorkflowExportPayload,
  WorkflowImportInput,
  WorkflowImportPayload,
} from './workflow-exchange.types';

@Resolver()
export class WorkflowExchangeResolver {
  @Mutation(() => WorkflowExportPayload, {
    description:
      'A workflow as a file for another installation, or this one: names of invokers and secrets go in, connectors, credentials and values never.',
  })
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
        return {
          fileName: `workflow-${id}.json`,
          content,
          connectors: content.connectors,
          secrets: content.secrets,
          leftOut: content.leftOut,
        };
      },
      [[['id'], ['workflowId']]],
    );
  }

  @Mutation(() => WorkflowImportPayload, {
    description: 'Saves a new workflow from a file of `workflowExport`.',
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
        file == null ? { content } : (await readUpload(file, services.templates.uploadBytes)).bytes;
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
