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
import type { AggregatedValue, RecordedExchange } from '../../engine';
import type { GraphqlContext } from '../../platform/context';
import { BadInput } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import { toOrder } from '../../platform/graphql/schema/connection';
import { databaseId } from '../../platform/graphql/schema/ids';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { listArgs } from '../../platform/graphql/schema/record-types';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { JSONValue } from '../../platform/graphql/schema/scalars';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import { toQuery } from '../../platform/store/lists/filter';
import type { Page } from '../../platform/store/lists/page';
import { changeOf, IN_WORKFLOW } from '../workflows/document/workflow-input.types';
import { RunExchange } from './exchange.types';
import { exchangeLoader, runLoader } from './run.loader';
import { isResumable, retryFromOf } from './run-continuation';
import type { RetryFrom } from './run-continuation';
import { remedyOf } from './run-error-remedies';
import type { RunRecord } from './run.model';
import { runPolicy } from './run.policy';
import {
  RunType,
  RunCancelInput,
  RunConnection,
  RunError,
  RunFilter,
  RunIdsInput,
  RunOrder,
  RunPayload,
  RunsPayload,
  RunValue,
  RunViewerCan,
  RunWait,
  TestRunStartInput,
  WorkflowRunInput,
  RunRetryFrom,
} from './run.types';

@ArgsType()
export class RunsArgs extends listArgs(
  'runs',
  RunFilter,
  RunOrder,
  'descending by the field that the filter has a range of, otherwise newest first',
) {
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to include test runs: your own, or all for administrators.',
  })
  readonly includeTest!: boolean;
}

/** Error paths: the service reports `id`, the API calls it `workflowId`. */
const OF_WORKFLOW: PathTable = [[['id'], ['workflowId']]];

const FILTER_FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Run') },
  state: 'state',
  workflow: { path: 'workflowId', read: (id: unknown) => databaseId(String(id), 'Workflow') },
  schedule: { path: 'scheduleId', read: (id: unknown) => databaseId(String(id), 'Schedule') },
  startedBy: { path: 'startedBy.userId', read: (id: unknown) => databaseId(String(id), 'User') },
  trigger: 'trigger',
  errorCode: 'error.code',
  test: 'test',
  queuedAt: 'queuedAt',
  startedAt: 'startedAt',
  finishedAt: 'finishedAt',
};

const ORDERS = {
  DATABASE_ID: '_id',
  QUEUED_AT: 'queuedAt',
  STARTED_AT: 'startedAt',
  FINISHED_AT: 'finishedAt',
  DURATION: 'durationMs',
  STATE: 'state',
} as const;

/** Converts a filter of runs to a query. @throws BadInput */
export const toRunQuery = (filter: object | undefined): Record<string, unknown> =>
  toQuery(filter, FILTER_FIELDS);

export function toListRequest({ filter, orderBy, includeTest, ...page }: RunsArgs) {
  return [
    toRunQuery(filter),
    page,
    { includeTest, orderBy: toOrder(orderBy, ORDERS, { field: 'queuedAt', direction: 'desc' }) },
  ] as const;
}

@Resolver(() => RunType)
export class RunResolver {
  @Query(() => RunType, {
    nullable: true,
    description: 'One run. Null if it does not exist, or is a test run of another user.',
  })
  @Needs(runPolicy.read)
  run(
    @Arg('id', () => ID, { description: 'Global or integer id.' }) id: string,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<RunRecord | null> {
    return services.runs.byId(actor, databaseId(id, 'Run'));
  }

  @Query(() => RunConnection, { description: 'Runs, newest first by default.' })
  @Needs(runPolicy.read)
  runs(
    @Args() args: RunsArgs,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<Page<RunRecord>> {
    return services.runs.page(actor, ...toListRequest(args));
  }

  @Mutation(() => RunPayload, {
    description: 'Runs the current version of a workflow. Returns when the run is queued.',
  })
  @Needs(runPolicy.start)
  workflowRun(
    @Arg('input') { workflowId, logging }: WorkflowRunInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'run',
      (ids) =>
        services.runs.run(actor, ids.read('Workflow', workflowId, ['workflowId']), {
          logging,
        }) as Promise<RunType>,
      OF_WORKFLOW,
    );
  }

  @Mutation(() => RunPayload, {
    description:
      'Tests a saved or an unsaved workflow, or a part of it. Returns when the run is queued.',
  })
  @Needs(runPolicy.start)
  testRunStart(
    @Arg('input') { workflowId, workflow, draftOf, until, only }: TestRunStartInput,
    @Ctx() { actor, services: { testRuns } }: GraphqlContext,
  ) {
    const paths = [...OF_WORKFLOW, ...IN_WORKFLOW];
    return payload(
      'run',
      async (ids) => {
        if ((workflowId == null) === (workflow == null))
          throw new BadInput(
            'ONE_OF_REQUIRED',
            'Give exactly one of `workflowId` and `workflow`.',
            { path: ['workflow'] },
          );
        if (workflow != null) {
          const saved = draftOf == null ? undefined : ids.read('Workflow', draftOf, ['draftOf']);
          const change = changeOf(workflow, ids, paths, ['workflow']);
          const options = { draftOf: saved, until, only };
          return (await testRuns.startContent(actor, { change }, options)).run;
        }
        if (draftOf != null)
          throw new BadInput('BAD_REQUEST', '`draftOf` can only be given with `workflow`.', {
            path: ['draftOf'],
          });
        const savedId = ids.read('Workflow', workflowId ?? '', ['workflowId']);
        return testRuns.start(actor, savedId, { until, only });
      },
      paths,
    );
  }

  @Mutation(() => RunPayload, { description: 'Cancels a queued or running run.' })
  @ServedOnFullDisk()
  @Needs(runPolicy.cancel)
  runCancel(@Arg('input') { id }: RunCancelInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload(
      'run',
      (ids) => services.runs.cancel(actor, ids.read('Run', id)) as Promise<RunType>,
    );
  }

  @Mutation(() => RunsPayload, { description: 'Cancels queued or running runs, all or none.' })
  @Needs(runPolicy.cancel)
  runsCancel(@Arg('input') input: RunIdsInput, @Ctx() { actor, services }: GraphqlContext) {
    return listPayload('runs', 'Run', (ids) =>
      services.runs.cancelAll(actor, ids.readAll('Run', input.ids)),
    );
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether it has a log that can be read with `logElements`, also while it is running. Only the newest logs of each workflow are kept.',
  })
  hasLog(@Root() run: RunRecord, @Ctx() { services }: GraphqlContext): boolean {
    return services.runLogs.isThere(run);
  }

  @FieldResolver(() => Int, {
    description: 'Number of warnings in its events, such as empty references; 0 until the end.',
  })
  warnings(@Root() { warnings = 0 }: RunRecord): number {
    return warnings;
  }

  @FieldResolver(() => [RunRetryFrom], {
    description:
      'Where a retry of it may begin: `from` of `runRetry`. Empty until it has ended. AFTER_STEP means that its last step is open: what it sent may have arrived.',
  })
  retryFrom(@Root() run: RunRecord): RetryFrom[] {
    return retryFromOf(run, new Date());
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether it goes on after a crash; false once what it received is larger than may be kept.',
  })
  resumable(@Root() run: RunRecord): boolean {
    return isResumable(run);
  }

  @FieldResolver(() => RunExchange, {
    nullable: true,
    description:
      'What the step that ended it sent and received, also without logging; long bodies are shortened. Null if it did not fail, no request was sent, or requests are not kept.',
  })
  errorExchange(
    @Root() { _id, state }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RecordedExchange | null> | null {
    return state === 'FAILED' ? exchangeLoader(context).load(_id) : null;
  }

  @FieldResolver(() => RunWait, {
    nullable: true,
    description:
      'Why it is queued, as far as the responding service process knows; null if it is not queued.',
  })
  wait(@Root() run: RunRecord, @Ctx() { services }: GraphqlContext): RunWait | null {
    return services.runs.waitOf(run);
  }

  @FieldResolver(() => [RunValue], {
    description:
      'Results of aggregators, in the order of the methods. Empty until the run has succeeded.',
  })
  values(@Root() { values = [] }: RunRecord): readonly AggregatedValue[] {
    return values;
  }

  @FieldResolver(() => RunViewerCan, { description: 'Permissions of the signed-in user for it.' })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof RunViewerCan> {
    return viewerCan(runPolicy, actor);
  }
}

@Resolver(() => RunError)
export class RunErrorResolver {
  @FieldResolver(() => String, { nullable: true, description: 'What to do about it.' })
  remedy(@Root() { code }: RunError): string | null {
    return remedyOf(code);
  }
}

@Resolver(() => RunValue)
export class RunValueResolver {
  @FieldResolver(() => JSONValue, {
    name: 'value',
    description: 'Any JSON value except null, with secrets masked.',
  })
  jsonOf(@Root() { value }: AggregatedValue): unknown {
    return JSON.parse(value);
  }
}

registerNode('Run', (id, context) => runLoader(context).load(id), runPolicy.read);
