import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, nestedPage, toOrder } from '../../platform/graphql/connection';
import { databaseId } from '../../platform/graphql/ids';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { listPayload, payload } from '../../platform/graphql/payload';
import { JSONValue } from '../../platform/graphql/scalars';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { secretKey } from '../../platform/secrets';
import { fold } from '../../platform/text/fold';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/page';
import type { FieldBindingView, MethodStepView, OperatorStepView } from './steps/step.presenter';
import { presentBindings, presentSteps } from './steps/step.presenter';
import { FieldBinding, Step } from './steps/step.types';
import { changeOf, IN_WORKFLOW } from './workflow-input.types';
import { currentDocumentOf, documentOf, workflowLoader } from './workflow.loader';
import type { VersionRecord, WorkflowRecord } from './workflow.model';
import { SAVE_NEED, workflowPolicy } from './workflow.policy';
import {
  WorkflowDeleteInput,
  WorkflowFilter,
  WorkflowIdsInput,
  WorkflowOrder,
  WorkflowSaveInput,
} from './workflow.inputs';
import {
  Workflow,
  WorkflowConnection,
  WorkflowPayload,
  WorkflowVersion,
  WorkflowVersionConnection,
  WorkflowsPayload,
  WorkflowViewerCan,
} from './workflow.types';

@ArgsType()
class WorkflowsArgs extends ConnectionArgs {
  @Field(() => WorkflowFilter, { nullable: true, description: 'Which workflows. Without it: all.' })
  readonly filter?: WorkflowFilter;

  @Field(() => WorkflowOrder, {
    nullable: true,
    description:
      'Their order. Without it: that of the field a range is asked of, else that of their creation.',
  })
  readonly orderBy?: InstanceType<typeof WorkflowOrder>;

  @Field(() => Boolean, { defaultValue: false, description: 'Also workflows made for test runs.' })
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
  @Query(() => Workflow, { nullable: true, description: 'One workflow; null when there is none.' })
  @Needs(workflowPolicy.read)
  workflow(
    @Arg('id', () => ID, { description: 'Its id, global or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<WorkflowRecord | null> {
    return services.workflows.byId(databaseId(id, 'Workflow'));
  }

  @Query(() => WorkflowConnection, { description: 'Workflows, a page at a time.' })
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

  @Mutation(() => WorkflowPayload, {
    description:
      'Saves a workflow: a new one without `id`, else the given parts of one that is there. Every save leaves a version.',
  })
  @Needs(SAVE_NEED)
  workflowSave(
    @Arg('input') { id, workflow, ...options }: WorkflowSaveInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowPayload> {
    return payload(
      'workflow',
      async (ids) =>
        (
          await services.workflows.save(
            actor,
            id == null ? null : ids.read('Workflow', id),
            { change: changeOf(workflow, ids) },
            options,
          )
        ).record as Workflow,
      IN_WORKFLOW,
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Deletes a workflow with its versions and cancels its runs. What its runs counted stays counted.',
  })
  @Needs(workflowPolicy.delete)
  workflowDelete(
    @Arg('input') { id, expectedVersion }: WorkflowDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowPayload> {
    return payload(
      'workflow',
      async (ids) =>
        (await services.workflows.remove(
          actor,
          ids.read('Workflow', id),
          expectedVersion,
        )) as Workflow,
    );
  }

  @Mutation(() => WorkflowsPayload, {
    description: 'Deletes workflows, all or none, with their versions, and cancels their runs.',
  })
  @Needs(workflowPolicy.delete)
  workflowsDelete(
    @Arg('input') input: WorkflowIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('workflows', 'Workflow', (ids) =>
      services.workflows.removeAll(actor, ids.readAll('Workflow', input.ids)),
    );
  }

  @FieldResolver(() => Int, { description: 'The name REST has for the integer id.' })
  connectionId(@Root() { _id }: WorkflowRecord): number {
    return _id;
  }

  @FieldResolver(() => [Step], {
    description: 'Methods and operators in the order in which they run.',
  })
  async steps(
    @Root() workflow: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<(MethodStepView | OperatorStepView)[]> {
    return presentSteps(await currentDocumentOf(workflow, context));
  }

  @FieldResolver(() => [FieldBinding], { description: 'Wiring between the steps.' })
  async fieldBindings(
    @Root() workflow: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<FieldBindingView[]> {
    return presentBindings(await currentDocumentOf(workflow, context));
  }

  @FieldResolver(() => JSONValue, { nullable: true, description: 'The layout, as it was saved.' })
  async ui(@Root() workflow: WorkflowRecord, @Ctx() context: GraphqlContext): Promise<unknown> {
    return (await currentDocumentOf(workflow, context)).ui ?? null;
  }

  @FieldResolver(() => WorkflowVersionConnection, {
    description: 'What its saves left behind, the newest first.',
  })
  versions(
    @Root() { _id }: WorkflowRecord,
    @Args() page: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<VersionRecord>> {
    return nestedPage(context, 'versions', _id, page, (ids) =>
      context.services.workflows.versionPages(ids, page),
    );
  }

  @FieldResolver(() => WorkflowViewerCan, {
    description: 'What the signed-in user may do with it.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof WorkflowViewerCan> {
    return viewerCan(workflowPolicy, actor);
  }
}

@Resolver(() => WorkflowVersion)
export class WorkflowVersionResolver {
  @FieldResolver(() => ID, { description: 'Names the snapshot, here and over REST.' })
  snapshotId(@Root() { _id }: VersionRecord): string {
    return _id;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'SHA-256 of the content: equal for versions with the same content. Null for who may not update workflows: guesses of a masked secret could be tested against it.',
  })
  contentHash(@Root() { content }: VersionRecord, @Ctx() { actor }: GraphqlContext): string | null {
    return allows(workflowPolicy.update, actor) ? content.hash : null;
  }

  @FieldResolver(() => [Step], { description: 'Its steps in the order in which they run.' })
  async steps(
    @Root() version: VersionRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<(MethodStepView | OperatorStepView)[]> {
    return presentSteps(await documentOf(version, context));
  }
}

registerNode('Workflow', (id, context) => workflowLoader(context).load(id), workflowPolicy.read);
