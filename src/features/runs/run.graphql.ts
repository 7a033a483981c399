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
} from 'type-graphql';
import type { AggregatedValue, RunLog as EngineRunLog } from '../../engine';
import type { Actor } from '../../platform/access/actor';
import type { GraphqlContext } from '../../platform/context';
import { BadInput, Forbidden } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import { ConnectionArgs, toOrder } from '../../platform/graphql/connection';
import { databaseId, globalId } from '../../platform/graphql/ids';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { listPayload, payload } from '../../platform/graphql/payload';
import { JSONValue } from '../../platform/graphql/scalars';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/page';
import { changeOf, IN_WORKFLOW } from '../workflows/workflow-input.types';
import type { PublishedRunEvent } from './run.events';
import { RunEvent, RunLog } from './run-event.types';
import { runLoader } from './run.loader';
import type { RunRecord } from './run.model';
import { maySee, runPolicy } from './run.policy';
import type { WatchedRunEvent } from './run-reading';
import {
  Run,
  RunCancelInput,
  RunConnection,
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
} from './run.types';

@ArgsType()
export class RunsArgs extends ConnectionArgs {
  @Field(() => RunFilter, { nullable: true, description: 'Which runs. Without it: all.' })
  readonly filter?: RunFilter;

  @Field(() => RunOrder, {
    nullable: true,
    description:
      'Their order. Without it: that of the field a range is asked of, else the newest first; the greatest first.',
  })
  readonly orderBy?: InstanceType<typeof RunOrder>;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Also test runs: your own; administrators see all.',
  })
  readonly includeTest!: boolean;
}

/** Error paths: the service reports `id`, the API calls it `workflowId`. */
const OF_WORKFLOW: PathTable = [[['id'], ['workflowId']]];

/** Filter fields of lists of runs. */
export const RUN_FIELDS = {
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
export const runQuery = (filter: RunFilter | undefined): Record<string, unknown> =>
  toQuery(filter, RUN_FIELDS);

/** Converts the arguments of a list of runs. */
export function askedRuns({ filter, orderBy, includeTest, ...page }: RunsArgs) {
  return [
    runQuery(filter),
    page,
    { includeTest, orderBy: toOrder(orderBy, ORDERS, { field: 'queuedAt', direction: 'desc' }) },
  ] as const;
}

interface RunEventsRequest {
  readonly args: { readonly runId: string; readonly afterSequence: number };
  readonly context: GraphqlContext;
}

const follow =
  (testsOnly: boolean) =>
  ({ args, context: { actor, services, signal } }: RunEventsRequest) =>
    services.runs.events(actor, databaseId(args.runId, 'Run'), args.afterSequence, signal, {
      testsOnly,
    });

interface ChannelRequest {
  readonly args: { readonly channelId: string };
  readonly context: GraphqlContext;
}

/** Checked for each event: the permission may be lost while the run is running. */
function seenEvent(actor: Actor, { run, event }: WatchedRunEvent): PublishedRunEvent {
  if (!maySee(actor, run)) throw new Forbidden('This run is no longer yours to see.');
  return event;
}

@Resolver(() => Run)
export class RunResolver {
  @Query(() => Run, {
    nullable: true,
    description: 'One run; null when there is none, and for the test run of somebody else.',
  })
  @Needs(runPolicy.read)
  run(
    @Arg('id', () => ID, { description: 'Its id, global or integer.' }) id: string,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<RunRecord | null> {
    return services.runs.byId(actor, databaseId(id, 'Run'));
  }

  @Query(() => RunConnection, { description: 'Runs, a page at a time, the newest first.' })
  @Needs(runPolicy.read)
  runs(
    @Args() args: RunsArgs,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<Page<RunRecord>> {
    return services.runs.page(actor, ...askedRuns(args));
  }

  @Mutation(() => RunPayload, {
    description: 'Runs the current version of a workflow. Answers as soon as the run is queued.',
  })
  @Needs(runPolicy.start)
  workflowRun(
    @Arg('input') { workflowId, logging }: WorkflowRunInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<RunPayload> {
    return payload(
      'run',
      (ids) =>
        services.runs.run(actor, ids.read('Workflow', workflowId, ['workflowId']), {
          logging,
        }) as Promise<Run>,
      OF_WORKFLOW,
    );
  }

  @Mutation(() => RunPayload, {
    description:
      'Runs a workflow as a test: a saved one, or one as it stands in an editor. Answers as soon as the run is queued.',
  })
  @Needs(runPolicy.start)
  testRunStart(
    @Arg('input') input: TestRunStartInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<RunPayload> {
    return payload(
      'run',
      async (ids) => {
        if ((input.workflowId == null) === (input.workflow == null))
          throw new BadInput(
            'ONE_OF_REQUIRED',
            'Give exactly one of `workflowId` and `workflow`.',
            { path: ['workflow'] },
          );
        if (input.workflow == null) {
          if (input.draftOf != null)
            throw new BadInput(
              'BAD_REQUEST',
              'Only a `workflow` that is sent is a draft of another one.',
              { path: ['draftOf'] },
            );
          return await services.runs.test(
            actor,
            ids.read('Workflow', input.workflowId ?? '', ['workflowId']),
          );
        }
        const draftOf =
          input.draftOf == null ? undefined : ids.read('Workflow', input.draftOf, ['draftOf']);
        return (
          await services.runs.testContent(
            actor,
            { change: changeOf(input.workflow, ids) },
            { draftOf },
          )
        ).run;
      },
      [...OF_WORKFLOW, ...IN_WORKFLOW],
    );
  }

  @Mutation(() => RunPayload, { description: 'Cancels a run that waits or goes on.' })
  @Needs(runPolicy.cancel)
  runCancel(
    @Arg('input') { id }: RunCancelInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<RunPayload> {
    return payload(
      'run',
      (ids) => services.runs.cancel(actor, ids.read('Run', id)) as Promise<Run>,
    );
  }

  @Mutation(() => RunsPayload, { description: 'Cancels runs that wait or go on, all or none.' })
  @Needs(runPolicy.cancel)
  runsCancel(@Arg('input') input: RunIdsInput, @Ctx() { actor, services }: GraphqlContext) {
    return listPayload('runs', 'Run', (ids) =>
      services.runs.cancelAll(actor, ids.readAll('Run', input.ids)),
    );
  }

  @Subscription(() => RunEvent, {
    description:
      'The events of a run after a sequence: what was missed first, then what happens, ending with `RunFinished`. Nothing lost, nothing twice.',
    subscribe: follow(false),
  })
  @Needs(runPolicy.read)
  runEvents(
    @Root() watched: WatchedRunEvent,
    @Ctx() { actor }: GraphqlContext,
    @Arg('runId', () => ID, { description: 'The run, global or integer id.' }) _runId: string,
    @Arg('afterSequence', () => Int, {
      defaultValue: 0,
      description: 'The last sequence that was seen; 0 means all.',
    })
    _afterSequence: number,
  ): PublishedRunEvent {
    return seenEvent(actor, watched);
  }

  @Subscription(() => RunEvent, {
    description: 'The same as `runEvents`, for test runs only: your own; administrators see all.',
    subscribe: follow(true),
  })
  @Needs(runPolicy.read)
  testRunEvents(
    @Root() watched: WatchedRunEvent,
    @Ctx() { actor }: GraphqlContext,
    @Arg('runId', () => ID, { description: 'The test run, global or integer id.' }) _runId: string,
    @Arg('afterSequence', () => Int, {
      defaultValue: 0,
      description: 'The last sequence that was seen; 0 means all.',
    })
    _afterSequence: number,
  ): PublishedRunEvent {
    return seenEvent(actor, watched);
  }

  @Subscription(() => RunEvent, {
    description:
      'The events of the last test that you have started over REST for a channel of your choice (`channelId`), from the first, then those of each later one: listen first, then start, and none is missed. Does not end by itself.',
    subscribe: ({ args, context: { actor, services, signal } }: ChannelRequest) =>
      services.runs.channelEvents(actor, args.channelId, signal),
  })
  @Needs(runPolicy.read)
  testChannelEvents(
    @Root() watched: WatchedRunEvent,
    @Ctx() { actor }: GraphqlContext,
    @Arg('channelId', () => String, { description: 'What you call it, 1 to 128 characters.' })
    _channelId: string,
  ): PublishedRunEvent {
    return seenEvent(actor, watched);
  }

  @FieldResolver(() => [RunEvent], {
    description:
      'Its events that are stored, a page at a time: the next begins after the last `sequence` of this one. Who may follow the run may read them; RUN_LOG_GONE when they are no longer kept.',
  })
  async events(
    @Root() run: RunRecord,
    @Arg('afterSequence', () => Int, {
      nullable: true,
      defaultValue: 0,
      description: 'The last sequence that was seen; 0 means all.',
    })
    afterSequence: number | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'How many at most, 1 to 100. Without it: 20.',
    })
    first: number | null,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly PublishedRunEvent[]> {
    const [after, limit] = [afterSequence ?? 0, first ?? context.defaultPage];
    return (
      (await context
        .loader<RunRecord, readonly PublishedRunEvent[]>(`runEvents ${after} ${limit}`, (runs) =>
          context.services.runs.storedEvents(context.actor, runs, after, limit),
        )
        .load(run)) ?? []
    );
  }

  @FieldResolver(() => Boolean, {
    description:
      'Has it a log that can be read (`logElements`)? Also while it goes on; of each workflow the newest logs are kept.',
  })
  hasLog(@Root() run: RunRecord, @Ctx() { services }: GraphqlContext): boolean {
    return services.runs.logs.isThere(run);
  }

  @FieldResolver(() => RunWait, {
    nullable: true,
    description:
      'Why it is queued, as the service process knows that answers; null when it is not.',
  })
  wait(@Root() run: RunRecord, @Ctx() { services }: GraphqlContext): RunWait | null {
    return services.runs.waitOf(run);
  }

  @FieldResolver(() => [RunValue], {
    description:
      'What aggregators left of the calls of its methods, in the order of the methods; nothing before its end, and of a run that did not end well.',
  })
  values(@Root() { values = [] }: RunRecord): readonly AggregatedValue[] {
    return values;
  }

  @FieldResolver(() => RunViewerCan, { description: 'What the signed-in user may do with it.' })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof RunViewerCan> {
    return viewerCan(runPolicy, actor);
  }
}

@Resolver(() => RunEvent)
export class RunEventResolver {
  @FieldResolver(() => ID, { description: 'Global id of the run.' })
  runId(@Root() { runId }: PublishedRunEvent): string {
    return globalId('Run', runId);
  }

  @FieldResolver(() => Run, {
    nullable: true,
    description: 'The run as it is now; null when it is not for the signed-in user to read.',
  })
  run(
    @Root() { runId }: PublishedRunEvent,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return runLoader(context).load(runId);
  }
}

@Resolver(() => RunValue)
export class RunValueResolver {
  @FieldResolver(() => JSONValue, {
    name: 'value',
    description: 'Any JSON but null, secrets masked.',
  })
  jsonOf(@Root() { value }: AggregatedValue): unknown {
    return JSON.parse(value);
  }
}

@Resolver(() => RunLog)
export class RunLogResolver {
  /**
   * Not named `index`: GraphQL requires one type per field name, and elsewhere it is never null.
   */
  @FieldResolver(() => String, { nullable: true, description: 'Index of that step.' })
  stepIndex(@Root() { index }: EngineRunLog): string | null {
    return index;
  }
}

registerNode('Run', (id, context) => runLoader(context).load(id), runPolicy.read);
