import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/schema/ids';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import { JSONValue } from '../../platform/graphql/schema/scalars';
import { readUpload } from '../../platform/graphql/schema/upload';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page } from '../../platform/store/lists/page';
import type { StepView } from '../workflows/document/step.presenter';
import { presentSteps } from '../workflows/document/step.presenter';
import { Step } from '../workflows/document/step.types';
import type { WorkflowDocument } from '../workflows/document/workflow-document';
import type { JsonObject } from '../workflows/workflow-document.service';
import { workflowPolicy } from '../workflows/workflow.policy';
import type { TemplateRecord } from './template.model';
import { templatePolicy } from './template.policy';
import { presentUpload } from './template.presenter';
import {
  Template,
  TemplateConnection,
  TemplateConnector,
  TemplateCreateInput,
  TemplateDeleteInput,
  TemplateImportInput,
  TemplateImportPayload,
  TemplateInstantiateInput,
  TemplateInstantiatePayload,
  TemplatePayload,
  TemplatesArgs,
  TemplateViewerCan,
} from './template.types';

const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Template') },
  templateId: 'templateId',
  name: { folded: 'nameKey' },
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};
const ORDERS = {
  DATABASE_ID: '_id',
  NAME: 'nameKey',
  CREATED_AT: 'createdAt',
  UPDATED_AT: 'updatedAt',
} as const;

@Resolver(() => Template)
export class TemplateResolver {
  @Query(() => TemplateConnection, { description: 'A page of templates.' })
  @Needs(templatePolicy.read)
  templates(
    @Args(() => TemplatesArgs)
    args: InstanceType<typeof TemplatesArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<TemplateRecord>> {
    return services.templates.page(
      toPageQuery(args, FIELDS, ORDERS, { field: 'nameKey', direction: 'asc' }),
    );
  }

  @Query(() => Template, { nullable: true, description: 'A template; null if it does not exist.' })
  @Needs(templatePolicy.read)
  template(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<TemplateRecord | null> {
    return services.templates.byId(databaseId(id, 'Template'));
  }

  @Mutation(() => TemplatePayload, {
    description:
      'Creates a template from a workflow. It contains the names of invokers, but no connectors, credentials or secrets.',
  })
  @Needs(templatePolicy.create)
  templateCreate(
    @Arg('input') { workflowId, name, description, license }: TemplateCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'template',
      (ids) =>
        services.templates.create(actor, ids.read('Workflow', workflowId, ['workflowId']), {
          name: name ?? undefined,
          description,
          license: license ?? null,
        }),
      [[['id'], ['workflowId']]],
    );
  }

  @Mutation(() => TemplateImportPayload, {
    description: 'Imports the templates of a file in the background, all or none.',
  })
  @Needs(templatePolicy.create)
  templateImport(
    @Arg('input') { file }: TemplateImportInput,
    @Ctx() { actor, services, origin }: GraphqlContext,
  ) {
    return payload('job', async () => {
      const { bytes } = await readUpload(file, services.templateImports.uploadBytes);
      return services.templateImports.startImport(actor, bytes, (records) =>
        records.map((record) => presentUpload(record, origin.baseUrl)),
      );
    });
  }

  @Mutation(() => TemplateInstantiatePayload, {
    description: 'Creates a workflow from a template. Also needs the permission to read templates.',
  })
  @Needs(workflowPolicy.create)
  templateInstantiate(
    @Arg('input') { templateId, connectors, title }: TemplateInstantiateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'workflow',
      async (ids) =>
        (
          await services.templates.instantiate(
            actor,
            ids.read('Template', templateId, ['templateId']),
            {
              connectors: connectors.map(({ slot, connectorId }, at) => ({
                slot,
                connectorId: ids.read('Connector', connectorId, ['connectors', at, 'connectorId']),
              })),
              title: title ?? null,
            },
          )
        ).record,
      [[['id'], ['templateId']]],
    );
  }

  @Mutation(() => TemplatePayload, {
    description: 'Deletes a template. Workflows that were created from it are kept.',
  })
  @ServedOnFullDisk()
  @Needs(templatePolicy.delete)
  templateDelete(
    @Arg('input') { id, expectedVersion }: TemplateDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('template', (ids) =>
      services.templates.remove(actor, ids.read('Template', id), expectedVersion),
    );
  }

  @FieldResolver(() => [TemplateConnector], {
    description: 'The connector slots, in the order in which the steps use them.',
  })
  connectors(@Root() { connectors }: TemplateRecord): TemplateConnector[] {
    return connectors.map(({ invoker, title }, at) => ({ slot: at + 1, invoker, title }));
  }

  @FieldResolver(() => [String], {
    description:
      'Assumptions that were made when it was imported from a file of an older version, each with its path; at most 100.',
  })
  warnings(@Root() { warnings }: TemplateRecord): readonly string[] {
    return warnings ?? [];
  }

  @FieldResolver(() => String, { description: 'URL in the REST API.' })
  link(@Root() { templateId }: TemplateRecord, @Ctx() { origin }: GraphqlContext): string {
    return `${origin.baseUrl}/api/template/${templateId}`;
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description:
      'The workflow as in template files; null if it was changed or deleted in the meantime.',
  })
  document(
    @Root() template: TemplateRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<JsonObject | null> {
    return context
      .loader<TemplateRecord, JsonObject>('templateBodies', (records) =>
        context.services.templates.bodies(records),
      )
      .load(template);
  }

  @FieldResolver(() => [Step], {
    nullable: true,
    description:
      'Methods and operators in execution order; null if it was changed or deleted in the meantime.',
  })
  async steps(
    @Root() template: TemplateRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly StepView[] | null> {
    const document = await this.document(template, context);
    return document && presentSteps(document as WorkflowDocument);
  }

  @FieldResolver(() => TemplateViewerCan, {
    description: 'Permissions of the signed-in user for this template.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof TemplateViewerCan> {
    return viewerCan(templatePolicy, actor);
  }
}

registerNode(
  'Template',
  (id, context) =>
    context
      .loader<number, TemplateRecord>('templates', (ids) => context.services.templates.byIds(ids))
      .load(id),
  templatePolicy.read,
);
