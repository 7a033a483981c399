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
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, nestedPage, toOrder } from '../../platform/graphql/schema/connection';
import { databaseId } from '../../platform/graphql/schema/ids';
import { listArgs } from '../../platform/graphql/schema/record-types';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { JSONValue } from '../../platform/graphql/schema/scalars';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import { secretKey } from '../../platform/secrets';
import { fold } from '../../platform/text/fold';
import { toQuery } from '../../platform/store/lists/filter';
import type { Page } from '../../platform/store/lists/page';
import type { FieldBindingView, StepView } from './document/step.presenter';
import { presentBindings, presentSteps } from './document/step.presenter';
import { FieldBinding, Step } from './document/step.types';
import {
  changeOf,
  CONTENT_PATHS,
  WorkflowCreateInput,
  WorkflowUpdateInput,
} from './document/workflow-input.types';
import { currentDocumentOf, documentOf, workflowLoader } from './workflow.loader';
import type { VersionRecord, WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import {
  WebhookVariable,
  Workflow,
  WorkflowConnection,
  WorkflowDeleteInput,
  WorkflowFilter,
  WorkflowIdsInput,
  WorkflowOrder,
  WorkflowPayload,
  WorkflowsPayload,
  WorkflowVersion,
  WorkflowVersionConnection,
  WorkflowViewerCan,
} from './workflow.types';

@ArgsType()
class WorkflowsArgs extends listArgs(
  'workflows',
  WorkflowFilter,
  WorkflowOrder,
  'by the field of a range filter, or else by time of creation',
) {
  @Field(() => Boolean, { defaultValue: false, description: 'Includes workflows of test runs.' })
  readonly includeTest!: boolean;
}

export const WORKFLOW_FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Workflow') },
  title: 'title',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
  updatedBy: { path: 'updatedBy.userId', read: (id: unknown) => databaseId(String(id), 'User') },
  test: 'test',
  connector: { path: 'connectorIds', read: (id: unknown) => databaseId(String(id), 'Connector') },
  invoker: { path: 'invokerKeys', read: (name: unknown) => fold(String(name)) },
  secret: { path: 'secrets', read: (name: unknown) => secretKey(String(name)) },
  aggregator: {
    path: 'aggregatorIds',
    read: (id: unknown) => databaseId(String(id), 'Aggregator'),
  },
  category: { path: 'categoryId', read: (id: unknown) => databaseId(String(id), 'Category') },
};

const ORDERS = {
  DATABASE_ID: '_id',
  TITLE: 'titleKey',
  CREATED_AT: 'createdAt',
  UPDATED_AT: 'updatedAt',
} as const;

@Resolver(() => Workflow)
export class WorkflowResolver {
  @Query(() => Workflow, { nullable: true, description: 'A workflow; null if it does not exist.' })
  @Needs(workflowPolicy.read)
  workflow(
    @Arg('id', () => ID, { description: 'Its id, global or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<WorkflowRecord | null> {
    return services.workflows.byId(databaseId(id, 'Workflow'));
  }

  @Query(() => WorkflowConnection, { description: 'A page of workflows.' })
  @Needs(workflowPolicy.read)
  workflows(
    @Args() { filter, orderBy, includeTest, ...page }: WorkflowsArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<WorkflowRecord>> {
    return services.workflows.page(toQuery(filter, WORKFLOW_FIELDS), page, {
      includeTest,
      orderBy: toOrder(orderBy, ORDERS, { field: 'createdAt', direction: 'asc' }),
    });
  }

  @Mutation(() => WorkflowPayload, { description: 'Creates a workflow.' })
  @Needs(workflowPolicy.create)
  workflowCreate(@Arg('input') input: WorkflowCreateInput, @Ctx() context: GraphqlContext) {
    return saveWorkflow(context, input, null);
  }

  @Mutation(() => WorkflowPayload, {
    description: 'Changes the given parts of a workflow. Each change creates a version.',
  })
  @Needs(workflowPolicy.update)
  workflowUpdate(@Arg('input') input: WorkflowUpdateInput, @Ctx() context: GraphqlContext) {
    return saveWorkflow(context, input, input.id);
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Deletes a workflow with its versions and cancels its runs. Run counters are kept.',
  })
  @ServedOnFullDisk()
  @Needs(workflowPolicy.delete)
  workflowDelete(
    @Arg('input') { id, expectedVersion }: WorkflowDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('workflow', (ids) =>
      services.workflowDeletion.remove(actor, ids.read('Workflow', id), expectedVersion),
    );
  }

  @Mutation(() => WorkflowsPayload, {
    description: 'Deletes workflows, all or none, with their versions, and cancels their runs.',
  })
  @ServedOnFullDisk()
  @Needs(workflowPolicy.delete)
  workflowsDelete(
    @Arg('input') input: WorkflowIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('workflows', 'Workflow', (ids) =>
      services.workflowDeletion.removeAll(actor, ids.readAll('Workflow', input.ids)),
    );
  }

  @FieldResolver(() => [Step], {
    description: 'Methods and operators in execution order.',
  })
  async steps(
    @Root() workflow: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly StepView[]> {
    return presentSteps(await currentDocumentOf(workflow, context));
  }

  @FieldResolver(() => [FieldBinding], { description: 'Field bindings between the steps.' })
  async fieldBindings(
    @Root() workflow: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<FieldBindingView[]> {
    return presentBindings(await currentDocumentOf(workflow, context));
  }

  @FieldResolver(() => JSONValue, { nullable: true, description: 'The layout as saved.' })
  async ui(@Root() workflow: WorkflowRecord, @Ctx() context: GraphqlContext): Promise<unknown> {
    return (await currentDocumentOf(workflow, context)).ui ?? null;
  }

  @FieldResolver(() => [WebhookVariable], {
    description:
      'The parameters that it reads from the call of a webhook, in document order, each once.',
  })
  webhookVariables(
    @Root() { _id }: WorkflowRecord,
    @Ctx() { services }: GraphqlContext,
  ): Promise<readonly WebhookVariable[]> {
    return services.workflows.webhookVariables(_id);
  }

  @FieldResolver(() => WorkflowVersionConnection, {
    description: 'Its versions, newest first.',
  })
  versions(
    @Root() { _id }: WorkflowRecord,
    @Args() page: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<VersionRecord>> {
    return nestedPage(context, 'versions', _id, page, (ids) =>
      context.services.versionRecords.pages(ids, page),
    );
  }

  @FieldResolver(() => WorkflowViewerCan, {
    description: 'Permissions of the signed-in user.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof WorkflowViewerCan> {
    return viewerCan(workflowPolicy, actor);
  }
}

@Resolver(() => WorkflowVersion)
export class WorkflowVersionResolver {
  @FieldResolver(() => ID, { description: 'Id of the snapshot, also in the REST API.' })
  snapshotId(@Root() { _id }: VersionRecord): string {
    return _id;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'SHA-256 of the content: equal for versions with the same content. Null for users who may not update workflows, because it would allow testing guesses of a masked secret.',
  })
  contentHash(@Root() { content }: VersionRecord, @Ctx() { actor }: GraphqlContext): string | null {
    return allows(workflowPolicy.update, actor) ? content.hash : null;
  }

  @FieldResolver(() => [Step], { description: 'Its steps in execution order.' })
  async steps(
    @Root() version: VersionRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly StepView[]> {
    return presentSteps(await documentOf(version, context));
  }
}

const saveWorkflow = (
  { actor, services }: GraphqlContext,
  input: WorkflowCreateInput | WorkflowUpdateInput,
  id: string | null,
) => {
  const paths = [...CONTENT_PATHS];
  return payload(
    'workflow',
    async (ids) => {
      const workflowId = id === null ? null : ids.read('Workflow', id);
      const content = { change: changeOf(input, ids, paths) };
      return (await services.workflows.save(actor, workflowId, content, input)).record;
    },
    paths,
  );
};

registerNode('Workflow', (id, context) => workflowLoader(context).load(id), workflowPolicy.read);
