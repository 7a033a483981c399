import { Field, Float, ID, Int, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';
import type {
  CalledConnector as CalledConnectorOfEngine,
  HttpMethod as HttpMethodName,
  OperatorType as OperatorTypeName,
  RequestSegment as SentSegment,
  ResponseSegment as ReceivedSegment,
} from '../../engine';
import { enumOf } from '../../platform/graphql/enums';
import { DateTime, JSONValue } from '../../platform/graphql/scalars';
import { MethodType, OperatorType } from '../workflows/editing/step.types';
import type { MethodTypeName } from '../workflows/workflow.document';
import type { PublishedRunEvent, RunStateName } from './run.events';
import { RunError, RunErrorCode, RunState } from './run.types';

export const LogLevel = { INFO: 'INFO', WARN: 'WARN' } as const;
registerEnumType(LogLevel, {
  name: 'LogLevel',
  description: 'How much a note matters.',
  valuesConfig: { INFO: { description: 'Good to know.' }, WARN: { description: 'Look at it.' } },
});

@InterfaceType({
  description:
    'Something that happened in a run. Sequences count from 1 without gaps; `RunFinished` is the last.',
  resolveType: ({ kind }: PublishedRunEvent) => kind,
})
export abstract class RunEvent {
  @Field(() => ID, { description: 'Global id of the run.' })
  readonly runId!: string;

  @Field(() => Int, { description: 'Its place among the events of the run.' })
  readonly sequence!: number;

  @Field(() => DateTime, { description: 'When it happened.' })
  readonly at!: Date;
}

@InterfaceType({
  implements: RunEvent,
  description: 'An event about one step.',
  resolveType: ({ kind }: PublishedRunEvent) => kind,
})
export abstract class StepEvent extends RunEvent {
  @Field(() => ID, { nullable: true, description: 'Id of the step within the workflow.' })
  readonly stepId!: string | null;

  @Field(() => String, { description: 'Index of the step.' })
  readonly index!: string;

  @Field(() => [Int], {
    description: 'Turns, from 0, of the loops around it, the outermost first.',
  })
  readonly loopIndex!: number[];
}

@ObjectType({ implements: RunEvent, description: 'The run began.' })
export class RunStarted extends RunEvent {
  @Field(() => Int, { description: 'Methods of the workflow.' })
  readonly methods!: number;

  @Field(() => Int, { description: 'Operators of the workflow.' })
  readonly operators!: number;
}

@ObjectType({
  description: 'The connector that a step calls, as it was called when the run began.',
})
export class CalledConnector implements CalledConnectorOfEngine {
  @Field(() => Int, { name: 'databaseId', description: 'Its integer id.' })
  readonly id!: number;

  @Field(() => String, { description: 'Its title.' })
  readonly title!: string;
}

@ObjectType({ implements: [RunEvent, StepEvent], description: 'A step began.' })
export class StepStarted extends StepEvent {
  @Field(() => String, { nullable: true, description: 'Name of the step.' })
  readonly name!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What people call the step; null when nobody does, and in events that were stored earlier.',
  })
  readonly label!: string | null;

  @Field(() => CalledConnector, {
    nullable: true,
    description:
      'The connector it calls; null when it calls none, and in events that were stored earlier.',
  })
  readonly connector!: CalledConnector | null;

  @Field(() => MethodType, {
    nullable: true,
    description: 'What it calls; null when only its connector says so.',
  })
  readonly methodType!: MethodTypeName | null;

  @Field(() => Int, { description: '1 for the first try.' })
  readonly attempt!: number;
}

export const HttpMethod = enumOf(
  {
    GET: 'Reads something.',
    POST: 'Hands something in.',
    PUT: 'Puts something in the place of what is there.',
    PATCH: 'Changes a part of what is there.',
    DELETE: 'Removes something.',
    HEAD: 'Reads the headers alone.',
    OPTIONS: 'Asks what may be done.',
  } satisfies Record<HttpMethodName, string>,
  'HttpMethod',
  'The verb of a request that was sent.',
);

@ObjectType({ description: 'What was sent; secrets are masked.' })
export class RequestSegment implements SentSegment {
  @Field(() => String, { description: 'The URL as it was called, with its values in it.' })
  readonly url!: string;

  @Field(() => HttpMethod, { description: 'The verb that was sent.' })
  readonly method!: HttpMethodName;

  @Field(() => JSONValue, { description: 'Header names and values.' })
  readonly header!: Record<string, string>;

  @Field(() => String, { description: 'The body as text, cut when it is long.' })
  readonly payload!: string;
}

@ObjectType({ description: 'What came back; secrets are masked.' })
export class ResponseSegment implements ReceivedSegment {
  @Field(() => Int, { description: 'HTTP status of the answer.' })
  readonly status!: number;

  @Field(() => Float, { description: 'From request to the end of the answer, ms.' })
  readonly durationMs!: number;

  @Field(() => JSONValue, { description: 'Header names and values.' })
  readonly header!: Record<string, string>;

  @Field(() => String, { description: 'The body as text, cut when it is long.' })
  readonly payload!: string;
}

@ObjectType({ description: 'Why a step failed.' })
export class StepError {
  @Field(() => RunErrorCode, { description: 'What went wrong, for programs.' })
  readonly code!: string;

  @Field(() => String, {
    description:
      'What went wrong, for people. Of a call that failed it has method, URL without the query string, and status; secrets are hidden.',
  })
  readonly message!: string;
}

@ObjectType({ implements: [RunEvent, StepEvent], description: 'A step ended.' })
export class StepFinished extends StepEvent {
  @Field(() => String, { nullable: true, description: 'Name of the step.' })
  readonly name!: string | null;

  @Field(() => MethodType, {
    nullable: true,
    description: 'What it called; null when only its connector says so.',
  })
  readonly methodType!: MethodTypeName | null;

  @Field(() => Int, { description: '1 for the first try.' })
  readonly attempt!: number;

  // The type of `RunFinished.state`: GraphQL requires one type per field name in a selection.
  @Field(() => RunState, { description: 'How it ended: SUCCEEDED, FAILED or CANCELLED.' })
  readonly state!: RunStateName;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the answer, if there was one.' })
  readonly statusCode!: number | null;

  @Field(() => Float, { description: 'How long it took, ms.' })
  readonly durationMs!: number;

  @Field(() => StepError, { nullable: true, description: 'Why it failed.' })
  readonly error!: StepError | null;

  @Field(() => RequestSegment, {
    nullable: true,
    description: 'What was sent; only in test runs and logged runs.',
  })
  readonly request!: RequestSegment | null;

  @Field(() => ResponseSegment, {
    nullable: true,
    description: 'What came back; only in test runs and logged runs.',
  })
  readonly response!: ResponseSegment | null;
}

@ObjectType({ implements: [RunEvent, StepEvent], description: 'An `if` was decided.' })
export class ConditionEvaluated extends StepEvent {
  @Field(() => String, { description: 'The condition as it was saved.' })
  readonly expression!: string;

  @Field(() => Boolean, { description: 'Was it true?' })
  readonly result!: boolean;
}

@ObjectType({
  implements: [RunEvent, StepEvent],
  description:
    'An `if` or a loop could not be evaluated, which ends the run. Such a loop has not begun.',
})
export class OperatorFailed extends StepEvent {
  @Field(() => OperatorType, { description: 'Which of the two.' })
  readonly operator!: OperatorTypeName;

  @Field(() => String, { description: 'What could not be evaluated, as it was saved.' })
  readonly expression!: string;

  // Nullable like that of `StepFinished`: GraphQL requires one type per field name in a selection.
  @Field(() => StepError, { nullable: true, description: 'Why not.' })
  readonly error!: StepError;
}

@ObjectType({
  implements: [RunEvent, StepEvent],
  description:
    'A loop began, also one with nothing to go over. `loopIndex` names the loops around it, not itself.',
})
export class LoopStarted extends StepEvent {
  @Field(() => String, { description: 'Name of the loop variable.' })
  readonly iterator!: string;

  @Field(() => Int, { description: 'How many turns it will have.' })
  readonly size!: number;
}

@ObjectType({
  implements: [RunEvent, StepEvent],
  description: 'A loop came to its end. One that a failure or a stop ended has no such event.',
})
export class LoopFinished extends StepEvent {
  @Field(() => Int, { description: 'How many turns it had.' })
  readonly turns!: number;
}

@ObjectType({
  implements: [RunEvent, StepEvent],
  description:
    'A loop with methods in it began a turn; the turns of other loops are only counted. `loopIndex` names the loops around it, not itself.',
})
export class LoopIteration extends StepEvent {
  @Field(() => String, { description: 'Name of the loop variable.' })
  readonly iterator!: string;

  @Field(() => Int, { description: 'From 0.' })
  readonly turn!: number;

  @Field(() => Int, { description: 'How many turns there are.' })
  readonly size!: number;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'The loop variable: index, key or part. Keys and parts only in test runs and logged runs.',
  })
  readonly value!: string | number | null;
}

@ObjectType({ implements: RunEvent, description: 'A note of the engine.' })
export class RunLog extends RunEvent {
  @Field(() => LogLevel, { description: 'How much it matters.' })
  readonly level!: keyof typeof LogLevel;

  @Field(() => ID, { nullable: true, description: 'The step it is about.' })
  readonly stepId!: string | null;

  @Field(() => String, { description: 'What the engine noticed, in words.' })
  readonly message!: string;
}

@ObjectType({ implements: RunEvent, description: 'The run ended; nothing comes after it.' })
export class RunFinished extends RunEvent {
  @Field(() => RunState, { description: 'How it ended.' })
  readonly state!: RunStateName;

  @Field(() => RunError, {
    nullable: true,
    description: 'What ended it, when it did not end well.',
  })
  readonly error!: RunError | null;

  @Field(() => Int, { description: 'Methods that were executed, each turn of a loop counted.' })
  readonly steps!: number;

  @Field(() => Float, { description: 'How long it took, ms.' })
  readonly durationMs!: number;
}
