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
  Subscription,
  InputType,
  ObjectType,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId, globalId } from '../../platform/graphql/schema/ids';
import { inputType } from '../../platform/graphql/schema/input-type';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode, Node } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import {
  listArgs,
  toPageQuery,
  IdInput,
  filterType,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { toQuery } from '../../platform/store/lists/filter';
import type { ListChange } from '../../platform/store/lists/live-list';
import type { Page } from '../../platform/store/lists/page';
import { JobPayload } from '../jobs/job.types';
import { runLoader } from '../runs/run.loader';
import type { RunRecord } from '../runs/run.model';
import { RunType } from '../runs/run.types';
import { linkedWorkflow } from '../workflows/workflow.loader';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { Workflow, Author } from '../workflows/workflow.types';
import type { SupportLogRecord } from './support-log.model';
import { supportLogPolicy } from './support-log.policy';
import { presentSupportLog } from './support-log.presenter';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { DateTimeFilter, IdFilter } from '../../platform/graphql/schema/filters';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { MaskingRuleType } from '../workflows/rules/rule.types';

@ObjectType({
  implements: Node,
  description:
    'Logs of a workflow, packed for support as a zip archive. A workflow has at most ten; a new one replaces the oldest.',
})
class SupportLog {
  readonly _id!: number;
  readonly workflowId!: number;
  readonly runIds!: readonly number[];

  @Field(() => String, { description: 'Its unique name.' })
  readonly fileName!: string;

  @Field(() => String, { description: 'The title of the workflow when it was packed.' })
  readonly workflowTitle!: string;

  @Field(() => Int, { description: 'Bytes.' })
  readonly size!: number;

  @Field(() => DateTime, { description: 'When it was packed.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'Who requested it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'When it is removed.' })
  readonly expiresAt!: Date;
}

const SupportLogConnection = ConnectionOf(SupportLog, 'SupportLogConnection');

@ObjectType({ description: 'Changes in the list of support files.' })
class SupportLogsChange {
  @Field(() => [SupportLog], { description: 'Files that became ready.' })
  readonly changed!: readonly SupportLog[];

  @Field(() => [ID], { description: 'Global ids of deleted files.' })
  readonly removedIds!: readonly string[];
}

const SupportLogPayload = payloadType(
  'SupportLogPayload',
  'supportLog',
  SupportLog,
  'A support file that was deleted.',
);

const SupportLogRuleInput = inputType(
  'SupportLogRuleInput',
  'A masking rule for a support file, in addition to those of its workflow. It is not stored.',
  {
    type: [MaskingRuleType, 'The language of the expression.'],
    expression: [String, 'The expression, at most 1,000 characters.'],
  },
);
type SupportLogRuleInput = InstanceType<typeof SupportLogRuleInput>;

const SupportLogCreateInput = inputType('SupportLogCreateInput', 'What to pack.', {
  workflowId: [ID, 'The workflow: global id or integer.'],
  rules: [
    [SupportLogRuleInput],
    'Masking rules in addition to those of the workflow, at most 100.',
    [],
  ],
  execute: [
    Boolean,
    'Execute the workflow first, with a log; this also requires CONNECTION:UPDATE. Otherwise only existing logs are packed.',
    false,
  ],
});
type SupportLogCreateInput = InstanceType<typeof SupportLogCreateInput>;

@InputType({ description: 'Which support file.' })
class SupportLogDeleteInput extends IdInput {}

const SupportLogOrder = orderType('SupportLogOrder', {
  DATABASE_ID: 'The integer id.',
  CREATED_AT: 'When they were packed.',
});

const SupportLogFilter = filterType('SupportLogFilter', 'support files', {
  id: [IdFilter, 'These support files.'],
  workflow: [IdFilter, 'Those of these workflows.'],
  createdAt: [DateTimeFilter, 'When they were packed.'],
});

const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'SupportLog') },
  workflow: { path: 'workflowId', read: (id: unknown) => databaseId(String(id), 'Workflow') },
  createdAt: 'createdAt',
};
const ORDERS = { DATABASE_ID: '_id', CREATED_AT: 'createdAt' } as const;

const SupportLogsArgs = listArgs(
  'support files',
  SupportLogFilter,
  SupportLogOrder,
  'newest first',
);

@ArgsType()
class WatchSupportLogsArgs {
  @Field(() => SupportLogFilter, {
    nullable: true,
    description: 'Which support files. Default: all.',
  })
  readonly filter?: object;

  @Field(() => Int, {
    defaultValue: 20,
    description: 'Maximum number per message, 1 to 100; the rest follows in the next message.',
  })
  readonly first!: number;
}

@Resolver(() => SupportLog)
export class SupportLogResolver {
  @Query(() => SupportLog, {
    nullable: true,
    description: 'One support file, or null if it does not exist.',
  })
  @Needs(supportLogPolicy.read)
  supportLog(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<SupportLogRecord | null> {
    return services.supportLogs.byId(databaseId(id, 'SupportLog'));
  }

  @Query(() => SupportLogConnection, { description: 'Support files, a page at a time.' })
  @Needs(supportLogPolicy.read)
  supportLogs(
    @Args(() => SupportLogsArgs) args: InstanceType<typeof SupportLogsArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<SupportLogRecord>> {
    return services.supportLogs.page(
      toPageQuery(args, FIELDS, ORDERS, { field: 'createdAt', direction: 'desc' }),
    );
  }

  @Mutation(() => JobPayload, {
    description:
      'Packs the logs of a workflow for support, in the background. The result of the job is the support file in the format of REST.',
  })
  @Needs(supportLogPolicy.create)
  supportLogCreate(
    @Arg('input') { workflowId, rules, execute }: SupportLogCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'job',
      (ids) =>
        services.supportLogs.create(actor, {
          workflowId: ids.read('Workflow', workflowId, ['workflowId']),
          rules,
          place: (position) => ['rules', position],
          execute,
          present: presentSupportLog,
        }),
      [[['id'], ['workflowId']]],
    );
  }

  @Mutation(() => SupportLogPayload, { description: 'Deletes a support file.' })
  @ServedOnFullDisk()
  @Needs(supportLogPolicy.delete)
  supportLogDelete(
    @Arg('input') { id }: SupportLogDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('supportLog', (ids) =>
      services.supportLogs.remove(actor, { _id: ids.read('SupportLog', id) }),
    );
  }

  @Subscription(() => SupportLogsChange, {
    description:
      'Support files that became ready or were deleted. The first message is sent at once and is empty: read the list after it to miss nothing.',
    subscribe: ({
      args: { filter, first },
      context: { services, signal },
    }: {
      readonly args: WatchSupportLogsArgs;
      readonly context: GraphqlContext;
    }) => services.supportLogs.changes(toQuery(filter, FIELDS), first, signal),
    name: 'supportLogs',
  })
  @Needs(supportLogPolicy.read)
  watchSupportLogs(
    @Root() { changed, removedIds }: ListChange<SupportLogRecord>,
    @Args() _args: WatchSupportLogsArgs,
  ) {
    return { changed, removedIds: removedIds.map((id) => globalId('SupportLog', id)) };
  }

  @FieldResolver(() => String, {
    description: 'Its download URL, for requests with the token of the signed-in user.',
  })
  url(
    @Root() { workflowId, fileName }: SupportLogRecord,
    @Ctx() { origin }: GraphqlContext,
  ): string {
    return `${origin.baseUrl}/api/connection/support-file/${workflowId}/${fileName}`;
  }

  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'The workflow, or null if it was deleted.',
  })
  workflow(
    @Root() { workflowId }: SupportLogRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WorkflowRecord | null> {
    return linkedWorkflow(context, workflowId);
  }

  @FieldResolver(() => [RunType], {
    description:
      'The runs whose logs it contains, at most 20, newest first, without runs that were removed.',
  })
  async runs(
    @Root() { runIds }: SupportLogRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord[]> {
    const loader = runLoader(context);
    const runs = await Promise.all(runIds.map((id) => loader.load(id)));
    return runs.filter((run) => run !== null);
  }
}

registerNode(
  'SupportLog',
  (id, context) =>
    context
      .loader<number, SupportLogRecord>('supportLogs', (ids) =>
        context.services.supportLogs.byIds(ids),
      )
      .load(id),
  supportLogPolicy.read,
);
