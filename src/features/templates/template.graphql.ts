import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, toOrder } from '../../platform/graphql/connection';
import { databaseId } from '../../platform/graphql/ids';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { payload } from '../../platform/graphql/payload';
import { JSONValue } from '../../platform/graphql/scalars';
import { readUpload } from '../../platform/graphql/upload';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/page';
import type { JsonObject } from '../workflows/workflow-document.service';
import { workflowPolicy } from '../workflows/workflow.policy';
import {
  TemplateCreateInput,
  TemplateDeleteInput,
  TemplateFilter,
  TemplateImportInput,
  TemplateInstantiateInput,
  TemplateOrder,
} from './template.inputs';
import type { TemplateRecord } from './template.model';
import { templatePolicy } from './template.policy';
import { presentUpload } from './template.presenter';
import {
  Template,
  TemplateConnection,
  TemplateConnector,
  TemplateImportPayload,
  TemplateInstantiatePayload,
  TemplatePayload,
  TemplateViewerCan,
} from './template.types';

@ArgsType()
class TemplatesArgs extends ConnectionArgs {
  @Field(() => TemplateFilter, { nullable: true, description: 'Which templates. Without it: all.' })
  readonly filter?: TemplateFilter;

  @Field(() => TemplateOrder, {
    nullable: true,
    description: 'In which order. Without it: by name.',
  })
  readonly orderBy?: InstanceType<typeof TemplateOrder>;
}

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
  @Query(() => TemplateConnection, { description: 'Templates, a page at a time.' })
  @Needs(templatePolicy.read)
  templates(
    @Args() { filter, orderBy, ...page }: TemplatesArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<TemplateRecord>> {
    return services.templates.page({
      ...page,
      filter: toQuery(filter, FIELDS),
      orderBy: toOrder(orderBy, ORDERS, { field: 'nameKey', direction: 'asc' }),
    });
  }

  @Query(() => Template, { nullable: true, description: 'One template; null when there is none.' })
  @Needs(templatePolicy.read)
  template(
    @Arg('id', () => ID, { description: 'Its id, global or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<TemplateRecord | null> {
    return services.templates.byId(databaseId(id, 'Template'));
  }

  @Mutation(() => TemplatePayload, {
    description:
      'Makes a template of a workflow: the names of its invokers go in, connectors, credentials and secrets never.',
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
    description: 'Imports templates in the background, all that are in the file or none.',
  })
  @Needs(templatePolicy.create)
  templateImport(
    @Arg('input') { file }: TemplateImportInput,
    @Ctx() { actor, services, origin }: GraphqlContext,
  ) {
    return payload('job', async () => {
      const { bytes } = await readUpload(file, services.templates.uploadBytes);
      return services.templates.startImport(actor, bytes, (records) =>
        records.map((record) => presentUpload(record, origin.baseUrl)),
      );
    });
  }

  @Mutation(() => TemplateInstantiatePayload, {
    description: 'Makes a workflow of a template. Needs the right to read templates, too.',
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
    description: 'Deletes a template. Workflows that were made of it stay.',
  })
  @Needs(templatePolicy.delete)
  templateDelete(
    @Arg('input') { id, expectedVersion }: TemplateDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('template', (ids) =>
      services.templates.removeById(actor, ids.read('Template', id), expectedVersion),
    );
  }

  @FieldResolver(() => [TemplateConnector], {
    description: 'The connectors it leaves open, in the order in which its steps name them.',
  })
  connectors(@Root() { connectors }: TemplateRecord): TemplateConnector[] {
    return connectors.map(({ invoker, title }, at) => ({ slot: at + 1, invoker, title }));
  }

  @FieldResolver(() => [String], {
    description:
      'What was assumed when it was imported from a file of an older version, each with its place; 100 at most.',
  })
  warnings(@Root() { warnings }: TemplateRecord): readonly string[] {
    return warnings ?? [];
  }

  @FieldResolver(() => String, { description: 'Where it is read over REST.' })
  link(@Root() { templateId }: TemplateRecord, @Ctx() { origin }: GraphqlContext): string {
    return `${origin.baseUrl}/api/template/${templateId}`;
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description:
      'Its workflow in the shape of REST; null when it was changed or deleted meanwhile.',
  })
  connection(
    @Root() template: TemplateRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<JsonObject | null> {
    return context
      .loader<TemplateRecord, JsonObject>('templateBodies', (records) =>
        context.services.templates.bodies(records),
      )
      .load(template);
  }

  @FieldResolver(() => TemplateViewerCan, {
    description: 'What the signed-in user may do with it.',
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
