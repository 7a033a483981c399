import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { RunLog as EngineRunLog } from '../../engine';
import type { Actor } from '../../platform/access/actor';
import type { GraphqlContext } from '../../platform/context';
import { Forbidden } from '../../platform/errors/errors';
import { databaseId, globalId } from '../../platform/graphql/schema/ids';
import {
  ConnectionOf,
  ForwardArgs,
  ListChangedArgs,
} from '../../platform/graphql/schema/connection';
import { Needs } from '../../platform/graphql/schema/needs';
import type { ListChange } from '../../platform/store/lists/live-list';
import type { Page } from '../../platform/store/lists/page';
import type { WatchedRunEvent } from './events/run-event-feed';
import { RunEvent, RunLog } from './run-event.types';
import type { PublishedRunEvent } from './run.events';
import { toRunQuery } from './run.graphql';
import { runLoader } from './run.loader';
import type { RunRecord } from './run.model';
import { maySee, runPolicy } from './run.policy';
import { RunType, RunFilter } from './run.types';

/** Of a subscription: type-graphql passes them as one object. */
interface SubscriptionRequest<A> {
  readonly args: A;
  readonly context: GraphqlContext;
}

const follow =
  (testsOnly: boolean) =>
  ({
    args: { runId, afterSequence },
    context: { actor, services, signal },
  }: SubscriptionRequest<{ readonly runId: string; readonly afterSequence: number }>) =>
    services.runEvents.follow(actor, databaseId(runId, 'Run'), afterSequence, signal, {
      testsOnly,
    });

/** Checked for each event: the permission may be lost while the run is running. */
function requireEvent(actor: Actor, { run, event }: WatchedRunEvent): PublishedRunEvent {
  if (!maySee(actor, run)) throw new Forbidden('You are no longer allowed to see this run.');
  return event;
}

const AFTER_SEQUENCE = {
  defaultValue: 0,
  description: 'Sequence of the last event that you received; 0 for all events.',
};

@Resolver()
export class RunEventsResolver {
  @Subscription(() => RunEvent, {
    description:
      'Events of a run after a sequence: first the stored ones, then new ones as they happen, ending with `RunFinished`. Each event is sent exactly once.',
    subscribe: follow(false),
  })
  @Needs(runPolicy.read)
  runEvents(
    @Root() watched: WatchedRunEvent,
    @Ctx() { actor }: GraphqlContext,
    @Arg('runId', () => ID, { description: 'Global or integer id of the run.' }) _runId: string,
    @Arg('afterSequence', () => Int, AFTER_SEQUENCE) _afterSequence: number,
  ): PublishedRunEvent {
    return requireEvent(actor, watched);
  }

  @Subscription(() => RunEvent, {
    description: 'As `runEvents`, only for test runs: your own, or all for administrators.',
    subscribe: follow(true),
  })
  @Needs(runPolicy.read)
  testRunEvents(
    @Root() watched: WatchedRunEvent,
    @Ctx() { actor }: GraphqlContext,
    @Arg('runId', () => ID, { description: 'Global or integer id of the test run.' })
    _runId: string,
    @Arg('afterSequence', () => Int, AFTER_SEQUENCE) _afterSequence: number,
  ): PublishedRunEvent {
    return requireEvent(actor, watched);
  }

  @Subscription(() => RunEvent, {
    description:
      'Events of the last test that you have started over REST with this `channelId`, from the first, then those of each later test. Subscribe before you start the test to miss none. Does not end by itself.',
    subscribe: ({
      args,
      context: { actor, services, signal },
    }: SubscriptionRequest<{ readonly channelId: string }>) =>
      services.runEvents.followChannel(actor, args.channelId, signal),
  })
  @Needs(runPolicy.read)
  testChannelEvents(
    @Root() watched: WatchedRunEvent,
    @Ctx() { actor }: GraphqlContext,
    @Arg('channelId', () => String, {
      description: 'Name of the channel, chosen by you: 1 to 128 characters.',
    })
    _channelId: string,
  ): PublishedRunEvent {
    return requireEvent(actor, watched);
  }
}

@Resolver(() => RunEvent)
export class RunEventResolver {
  @FieldResolver(() => ID, { description: 'Global id of the run.' })
  runId(@Root() { runId }: PublishedRunEvent): string {
    return globalId('Run', runId);
  }

  @FieldResolver(() => RunType, {
    nullable: true,
    description: 'The current run; null if you may not read it.',
  })
  run(
    @Root() { runId }: PublishedRunEvent,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return runLoader(context).load(runId);
  }
}

@Resolver(() => RunLog)
export class RunLogResolver {
  /**
   * Not named `index`: GraphQL requires one type per field name, and elsewhere it is never null.
   */
  @FieldResolver(() => String, { nullable: true, description: 'Index of the step.' })
  stepIndex(@Root() { index }: EngineRunLog): string | null {
    return index;
  }

  @FieldResolver(() => [Int], {
    nullable: true,
    description:
      'Iterations of the loops around the step, outermost first; null for notes of aggregators.',
  })
  stepLoopIndex(@Root() { loopIndex }: EngineRunLog): readonly number[] | null {
    return loopIndex ?? null;
  }
}

const RunEventConnection = ConnectionOf(RunEvent, 'RunEventConnection');

@ArgsType()
class RunEventsArgs extends ForwardArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'Only events after this sequence, for clients that know no cursor. Default: 0, all events.',
  })
  readonly afterSequence?: number | null;
}

@Resolver(() => RunType)
export class StoredRunEventsResolver {
  @FieldResolver(() => RunEventConnection, {
    description:
      'Stored events in order, for users who may subscribe to them. Fails with RUN_LOG_GONE if the events are no longer kept.',
  })
  async events(
    @Root() run: RunRecord,
    @Args() args: RunEventsArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<PublishedRunEvent> | null> {
    const { actor, services } = context;
    const loader = context.loader<RunRecord, Page<PublishedRunEvent>>(
      `runEvents ${JSON.stringify(args)}`,
      (runs) => services.runEvents.pagesOf(actor, runs, args),
    );
    return loader.load(run);
  }
}

@ArgsType()
class RunsChangedArgs extends ListChangedArgs {
  @Field(() => RunFilter, {
    nullable: true,
    description: 'Filter, as for `runs`. Default: all runs.',
  })
  readonly filter?: object;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to include test runs: your own, or all for administrators.',
  })
  readonly includeTest!: boolean;
}

@ObjectType({ description: 'Changes of a list of runs.' })
class RunsChange {
  @Field(() => [RunType], {
    description:
      'Current records of runs in the list that are new, have another state, or have lost their log. In no order.',
  })
  readonly changed!: readonly RunType[];

  @Field(() => [ID], {
    description:
      'Global ids of runs that have left the list: removed, no longer matched by the filter, or no longer visible to you.',
  })
  readonly removedIds!: readonly string[];
}

@Resolver()
export class RunsChangedResolver {
  @Subscription(() => RunsChange, {
    description:
      'Changes of a list of runs, at most four messages per second. The first message is sent at once and is empty: read the list when it arrives to miss nothing. In a list of more than 500 runs, removals are reported for the newest runs and for those that were sent before.',
    subscribe: ({ args, context }: SubscriptionRequest<RunsChangedArgs>) =>
      context.services.runs.changes(() => context.actorNow(), toRunQuery(args.filter), {
        includeTest: args.includeTest,
        most: args.first,
        signal: context.signal,
      }),
  })
  @Needs(runPolicy.read)
  runsChanged(
    @Root() { changed, removedIds }: ListChange<RunRecord>,
    @Args() _args: RunsChangedArgs,
    @Ctx() { actor }: GraphqlContext,
  ) {
    // The permission may be lost after the list was read: the next update removes the runs.
    return {
      changed: changed.filter((run) => maySee(actor, run)),
      removedIds: removedIds.map((id) => globalId('Run', id)),
    };
  }
}
