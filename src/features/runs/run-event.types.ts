import { Field, Float, ID, Int, InterfaceType, ObjectType } from 'type-graphql';
import type {
  CalledConnector as CalledConnectorOfEngine,
  OperatorType as OperatorTypeName,
} from '../../engine';
import { enumOf } from '../../platform/graphql/schema/enums';
import { DateTime, JSONValue } from '../../platform/graphql/schema/scalars';
import { MethodType, OperatorType } from '../workflows/document/step.types';
import type { MethodTypeName } from '../workflows/document/workflow-document';
import type { PublishedRunEvent, RunStateName } from './run.events';
import { RequestSegment, ResponseSegment } from './exchange.types';
import { RunError, RunErrorCode, RunState } from './run.types';

const LogLevel = enumOf(
  { INFO: 'Information.', WARN: 'Warning.' },
  'LogLevel',
  'Severity of a note.',
);

@InterfaceType({
  description: 'An event of a run. Sequences have no gaps; the last event is `RunFinished`.',
  resolveType: ({ kind }: PublishedRunEvent) => kind,
})
export abstract class RunEvent {
  @Field(() => ID, { description: 'Global id of the run.' })
  readonly runId!: string;

  @Field(() => Int, { description: 'Sequence within the run.' })
  readonly sequence!: number;

  @Field(() => DateTime, { description: 'Time of the event.' })
  readonly at!: Date;
}

@InterfaceType({
  implements: RunEvent,
  description: 'An event of one step.',
  resolveType: ({ kind }: PublishedRunEvent) => kind,
})
export abstract class StepEvent extends RunEvent {
  @Field(() => ID, { nullable: true, description: 'Id of the step within the workflow.' })
  readonly stepId!: string | null;

  @Field(() => String, { description: 'Index of the step.' })
  readonly index!: string;

  @Field(() => [Int], { description: 'Iterations of the enclosing loops, outermost first.' })
  readonly loopIndex!: number[];
}

@ObjectType({ implements: RunEvent, description: 'The run started.' })
export class RunStarted extends RunEvent {
  @Field(() => Int, { description: 'Number of methods of the workflow.' })
  readonly methods!: number;

  @Field(() => Int, { description: 'Number of operators of the workflow.' })
  readonly operators!: number;
}

@ObjectType({ description: 'The connector that a step calls, as at the start of the run.' })
export class CalledConnector implements CalledConnectorOfEngine {
  @Field(() => Int, { name: 'databaseId', description: 'Integer id.' })
  readonly id!: number;

  @Field(() => String, { description: 'Title.' })
  readonly title!: string;
}

@ObjectType({ implements: [RunEvent, StepEvent], description: 'A step started.' })
export class StepStarted extends StepEvent {
  @Field(() => String, { nullable: true, description: 'Name of the step.' })
  readonly name!: string | null;

  @Field(() => String, { nullable: true, description: 'Label of the step, if it has one.' })
  readonly label!: string | null;

  @Field(() => CalledConnector, {
    nullable: true,
    description: 'Called connector, if it calls one.',
  })
  readonly connector!: CalledConnector | null;

  @Field(() => MethodType, {
    nullable: true,
    description: 'Type, unless the connector determines it.',
  })
  readonly methodType!: MethodTypeName | null;

  @Field(() => Int, { description: 'Attempt number; 1 for the first.' })
  readonly attempt!: number;
}

@ObjectType({ description: 'The error of a step.' })
export class StepError {
  @Field(() => RunErrorCode, { description: 'Error code.' })
  readonly code!: string;

  @Field(() => String, { description: 'Error message, with secrets masked.' })
  readonly message!: string;
}

@ObjectType({ implements: [RunEvent, StepEvent], description: 'A step ended.' })
export class StepFinished extends StepEvent {
  @Field(() => String, { nullable: true, description: 'Name of the step.' })
  readonly name!: string | null;

  @Field(() => MethodType, {
    nullable: true,
    description: 'Type, unless the connector determines it.',
  })
  readonly methodType!: MethodTypeName | null;

  @Field(() => Int, { description: 'Attempt number; 1 for the first.' })
  readonly attempt!: number;

  // The type of `RunFinished.state`: GraphQL requires one type per field name in a selection.
  @Field(() => RunState, { description: 'Final state: SUCCEEDED, FAILED or CANCELLED.' })
  readonly state!: RunStateName;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the response, if any.' })
  readonly statusCode!: number | null;

  @Field(() => Float, { description: 'Duration, ms.' })
  readonly durationMs!: number;

  @Field(() => StepError, { nullable: true, description: 'The error, if it failed.' })
  readonly error!: StepError | null;

  @Field(() => RequestSegment, {
    nullable: true,
    description: 'The request, in runs that record it.',
  })
  readonly request!: RequestSegment | null;

  @Field(() => ResponseSegment, {
    nullable: true,
    description: 'The response, in runs that record it.',
  })
  readonly response!: ResponseSegment | null;
}

@ObjectType({ implements: [RunEvent, StepEvent], description: 'An `if` was evaluated.' })
export class ConditionEvaluated extends StepEvent {
  @Field(() => String, { description: 'The condition as saved.' })
  readonly expression!: string;

  @Field(() => Boolean, { description: 'Result of the condition.' })
  readonly result!: boolean;
}

@ObjectType({
  implements: [RunEvent, StepEvent],
  description: 'An `if` or a loop could not be evaluated, which ends the run.',
})
export class OperatorFailed extends StepEvent {
  @Field(() => OperatorType, { description: 'Type of the operator.' })
  readonly operator!: OperatorTypeName;

  @Field(() => String, { description: 'The expression as saved.' })
  readonly expression!: string;

  // Nullable like that of `StepFinished`: GraphQL requires one type per field name in a selection.
  @Field(() => StepError, { nullable: true, description: 'The error.' })
  readonly error!: StepError;
}

@ObjectType({
  implements: [RunEvent, StepEvent],
  description:
    'A loop started, possibly without iterations. `loopIndex` contains the enclosing loops only.',
})
export class LoopStarted extends StepEvent {
  @Field(() => String, { description: 'Name of the loop variable.' })
  readonly iterator!: string;

  @Field(() => Int, { description: 'Number of iterations.' })
  readonly size!: number;
}

@ObjectType({
  implements: [RunEvent, StepEvent],
  description:
    'A loop finished. Loops that are ended by an error or a cancellation have no such event.',
})
export class LoopFinished extends StepEvent {
  @Field(() => Int, { description: 'Number of iterations.' })
  readonly turns!: number;
}

@ObjectType({
  implements: [RunEvent, StepEvent],
  description:
    'An iteration of a loop that contains methods started; iterations of other loops are only counted. `loopIndex` contains the enclosing loops only.',
})
export class LoopIteration extends StepEvent {
  @Field(() => String, { description: 'Name of the loop variable.' })
  readonly iterator!: string;

  @Field(() => Int, { description: 'Iteration, from 0.' })
  readonly turn!: number;

  @Field(() => Int, { description: 'Number of iterations.' })
  readonly size!: number;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Value of the loop variable: index, or key or part in runs that record requests.',
  })
  readonly value!: string | number | null;
}

@ObjectType({ implements: RunEvent, description: 'A note of the engine.' })
export class RunLog extends RunEvent {
  @Field(() => LogLevel, { description: 'Severity.' })
  readonly level!: 'INFO' | 'WARN';

  @Field(() => ID, { nullable: true, description: 'Id of the step.' })
  readonly stepId!: string | null;

  @Field(() => RunErrorCode, {
    nullable: true,
    description: 'REFERENCE_EMPTY: the step read a part of a response that is not there.',
  })
  readonly code?: string;

  @Field(() => String, { nullable: true, description: 'The reference that is empty.' })
  readonly path?: string;

  @Field(() => [String], {
    nullable: true,
    description: 'Names that are there instead of the one in the reference, at most 20.',
  })
  readonly keys?: readonly string[];

  @Field(() => String, { description: 'Text of the note.' })
  readonly message!: string;
}

@ObjectType({ implements: RunEvent, description: 'The run ended; this is the last event.' })
export class RunFinished extends RunEvent {
  @Field(() => RunState, { description: 'Final state.' })
  readonly state!: RunStateName;

  @Field(() => RunError, { nullable: true, description: 'The error that ended it.' })
  readonly error!: RunError | null;

  @Field(() => Int, { name: 'stepCount', description: 'Number of executed methods.' })
  readonly steps!: number;

  @Field(() => Float, { description: 'Duration, ms.' })
  readonly durationMs!: number;
}
