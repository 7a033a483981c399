import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { ConnectionOf, ForwardArgs } from '../../../platform/graphql/schema/connection';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { databaseId } from '../../../platform/graphql/schema/ids';
import { Needs } from '../../../platform/graphql/schema/needs';
import { DateTime, JSONValue } from '../../../platform/graphql/schema/scalars';
import type { Page } from '../../../platform/store/lists/page';
import { RequestSegment, ResponseSegment } from '../exchange.types';
import { CalledConnector, StepError } from '../run-event.types';
import type { RunRecord } from '../run.model';
import { runPolicy } from '../run.policy';
import { RunType, RunErrorCode } from '../run.types';
import { elementIdOf } from './log-element';
import type { ElementStateName, ElementTypeName, LogElement as Element } from './log-element';

const LogElementType = enumOf(
  {
    EXECUTION: 'The run.',
    FLOWCHART: 'The workflow of the run; contains all its steps.',
    LOOP: 'A loop; contains the steps of its iterations.',
    IF: 'A condition; contains the steps that it executed.',
    OPERATION: 'One attempt of a method.',
  } satisfies Record<ElementTypeName, string>,
  'LogElementType',
  'Type of an element in the log of a run.',
);

const LogElementState = enumOf(
  { PENDING: 'In progress.', COMPLETE: 'Succeeded.', FAIL: 'Did not succeed.' } satisfies Record<
    ElementStateName,
    string
  >,
  'LogElementState',
  'State of an element in the log of a run.',
);

@ObjectType({ description: 'A warning of a step in a log.' })
class LogWarning {
  @Field(() => RunErrorCode, {
    nullable: true,
    description: 'REFERENCE_EMPTY: a reference found nothing, so that null was used.',
  })
  readonly code!: string | null;

  @Field(() => String, { description: 'Text of the warning.' })
  readonly message!: string;

  @Field(() => String, { nullable: true, description: 'The reference that is empty.' })
  readonly path!: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Names that are there instead of the one in the reference, at most 20.',
  })
  readonly keys!: readonly string[] | null;
}

@ObjectType({ description: 'A node in the log tree of a run.' })
class LogElement {
  @Field(() => LogElementType, { description: 'Type.' })
  readonly type!: ElementTypeName;

  @Field(() => LogElementState, { description: 'State.' })
  readonly state!: ElementStateName;

  @Field(() => String, { nullable: true, description: 'Index of the step, if it is one.' })
  readonly index!: string | null;

  @Field(() => [Int], {
    name: 'loopIndex',
    description: 'Iterations of the enclosing loops, outermost first.',
  })
  readonly turns!: number[];

  @Field(() => DateTime, { nullable: true, description: 'Start time.' })
  readonly startedAt!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Duration, ms; not of conditions, unfinished elements, and loops in search results.',
  })
  readonly durationMs!: number | null;

  @Field(() => ID, { nullable: true, description: 'Id of the step within its workflow.' })
  readonly stepId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of a method, or title of the workflow.',
  })
  readonly name!: string | null;

  @Field(() => String, { nullable: true, description: 'Label of the method.' })
  readonly label!: string | null;

  @Field(() => CalledConnector, { nullable: true, description: 'Called connector.' })
  readonly connector!: CalledConnector | null;

  @Field(() => Int, { nullable: true, description: 'Attempt of a method, from 1.' })
  readonly attempt!: number | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the response, if any.' })
  readonly statusCode!: number | null;

  @Field(() => String, { nullable: true, description: 'The condition; in lists its beginning.' })
  readonly expression!: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Result of a condition.' })
  readonly result!: boolean | null;

  @Field(() => String, { nullable: true, description: 'Iterator of a loop.' })
  readonly iterator!: string | null;

  @Field(() => Int, { nullable: true, description: 'Number of iterations of a loop.' })
  readonly size!: number | null;

  @Field(() => StepError, { nullable: true, description: 'The error, if it failed.' })
  readonly error!: StepError | null;

  @Field(() => [LogWarning], {
    description: 'Warnings of the step; texts in lists are shortened.',
  })
  readonly warnings!: readonly LogWarning[];
}

@ObjectType({ description: 'An element of a log with its request and response.' })
class LogElementDetails {
  @Field(() => LogElement, { description: 'The element.' })
  readonly element!: LogElement;

  @Field(() => RequestSegment, { nullable: true, description: 'The request.' })
  readonly request!: RequestSegment | null;

  @Field(() => ResponseSegment, { nullable: true, description: 'The response.' })
  readonly response!: ResponseSegment | null;
}

@ObjectType({ description: 'An iteration of a loop in a log.' })
class LogTurn {
  @Field(() => String, { description: 'Index of the loop.' })
  readonly index!: string;

  @Field(() => [Int], {
    name: 'loopIndex',
    description: 'Iterations of the enclosing loops and its own, outermost first.',
  })
  readonly turns!: readonly number[];

  @Field(() => DateTime, { description: 'Start time.' })
  readonly startedAt!: Date;

  @Field(() => JSONValue, { nullable: true, description: 'Loop variable: index, key or part.' })
  readonly value!: string | number | null;
}

const LogSearchInput = inputType(
  'LogSearchInput',
  'Search criteria for logs; all that are given must match.',
  {
    workflowId: [
      optional(ID),
      'Workflow, by global or integer id: its runs and tests. Default: all workflows.',
    ],
    text: [
      optional(String),
      'Text in a name, label, connector, URL, condition, warning, error, or body of a request or response, ignoring case; at most 200 characters. Bodies are searched as stored: masked, and shortened if they are long.',
    ],
    states: [optional([LogElementState]), 'States.'],
    types: [optional([LogElementType]), 'Types; runs and flowcharts are not searched.'],
    step: [optional(String), 'Id, index or name of a step.'],
    from: [optional(DateTime), 'Earliest start time, inclusive.'],
    before: [optional(DateTime), 'Latest start time, exclusive.'],
  },
);
type LogSearchInput = InstanceType<typeof LogSearchInput>;

const LogElementConnection = ConnectionOf(LogElement, 'LogElementConnection', {
  isCounted: false,
});

@ArgsType()
class LogSearchArgs extends ForwardArgs {
  @Field(() => LogSearchInput, {
    nullable: true,
    description: 'Search criteria. Default: all elements of all logs.',
  })
  readonly search?: LogSearchInput | null;
}

const FIRST = { nullable: true, description: 'Maximum number of elements, 1 to 100. Default: 20.' };
const AFTER = {
  nullable: true,
  description: '`elementId` of the last element of the previous page.',
};

@Resolver(() => LogElement)
export class LogResolver {
  @Query(() => [LogElement], {
    description:
      'Direct children of an element of a log, in order. The only child of a run is its flowchart, which contains all steps outside loops and conditions.',
  })
  @Needs(runPolicy.read)
  logElements(
    @Arg('parentId', () => ID, {
      description: '`elementId` of the parent; for a run, its integer id.',
    })
    parentId: string,
    @Arg('loopIndex', () => [Int], {
      nullable: true,
      description:
        'For a loop: the iteration, or the iterations of all enclosing loops and its own. Default: all iterations.',
    })
    loopIndex: number[] | null,
    @Arg('first', () => Int, FIRST) first: number | null,
    @Arg('after', () => ID, AFTER) after: string | null,
    @Ctx() { actor, services, defaultPage }: GraphqlContext,
  ): Promise<readonly Element[]> {
    return services.runLogs.children(actor, parentId, loopIndex ?? null, {
      first: first ?? defaultPage,
      after,
    });
  }

  @Query(() => LogElementDetails, {
    description: 'One element of a log with its request and response.',
  })
  @Needs(runPolicy.read)
  logElement(
    @Arg('elementId', () => ID, { description: '`elementId` of the element.' }) elementId: string,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<LogElementDetails> {
    return services.runLogs.details(actor, elementId) as unknown as Promise<LogElementDetails>;
  }

  @Query(() => LogTurn, {
    nullable: true,
    description:
      'An iteration of a loop; `logElements` returns its elements. Null if the loop has no such iteration with elements.',
  })
  @Needs(runPolicy.read)
  logTurn(
    @Arg('elementId', () => ID, { description: '`elementId` of the loop.' }) elementId: string,
    @Arg('loopIndex', () => [Int], {
      description: 'The iteration, or the iterations of all enclosing loops and its own.',
    })
    loopIndex: number[],
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<LogTurn | null> {
    return services.runLogs.turn(actor, elementId, loopIndex);
  }

  @Query(() => LogElementConnection, {
    description:
      'Searches the logs of runs, including those of tests that you may see: newest run first, in order within a run.',
  })
  @Needs(runPolicy.read)
  logSearch(
    @Args() { search, ...page }: LogSearchArgs,
    @Ctx() { actor, services, signal }: GraphqlContext,
  ): Page<Element> {
    const { workflowId, ...criteria } = search ?? {};
    const id = workflowId == null ? null : databaseId(workflowId, 'Workflow');
    return services.runLogs.searchPage(actor, id, criteria, page, signal);
  }

  @FieldResolver(() => ID, {
    description:
      'Run id and sequence of its first event, for example `4711-3`; for a run, its integer id.',
  })
  elementId(@Root() { run, sequence }: Element): string {
    return elementIdOf({ runId: run._id, sequence });
  }

  @FieldResolver(() => RunType, { description: 'The run of the log.' })
  run(@Root() { run }: Element): RunRecord {
    return run;
  }
}
