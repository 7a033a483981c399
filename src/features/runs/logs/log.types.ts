import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../../platform/graphql/enums';
import { DateTime, JSONValue } from '../../../platform/graphql/scalars';
import { CalledConnector, RequestSegment, ResponseSegment, StepError } from '../run-event.types';
import type { ElementStateName, ElementTypeName } from './log-element';

export const LogElementType = enumOf(
  {
    EXECUTION: 'The run.',
    FLOWCHART: 'Its workflow, with all its steps below.',
    LOOP: 'A loop, with what its turns did below.',
    IF: 'A condition, with what it let through below.',
    OPERATION: 'One try of a method.',
  } satisfies Record<ElementTypeName, string>,
  'LogElementType',
  'What stands in the log of a run.',
);

export const LogElementState = enumOf(
  {
    PENDING: 'Goes on.',
    COMPLETE: 'Ended well.',
    FAIL: 'Did not end well.',
  } satisfies Record<ElementStateName, string>,
  'LogElementState',
  'How an element of a log came out.',
);

@ObjectType({ description: 'One node of the tree that the log of a run is.' })
export class LogElement {
  @Field(() => LogElementType, { description: 'What it is.' })
  readonly type!: ElementTypeName;

  @Field(() => LogElementState, { description: 'How it came out.' })
  readonly state!: ElementStateName;

  @Field(() => String, {
    nullable: true,
    description: 'Index of the step; null for a run and its flowchart.',
  })
  readonly index!: string | null;

  @Field(() => [Int], {
    name: 'loopIndex',
    description: 'Turns, from 0, of the loops around it, the outermost first.',
  })
  readonly turns!: number[];

  @Field(() => DateTime, { nullable: true, description: 'When it began.' })
  readonly startedAt!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'How long it took, ms; null while it goes on, for conditions, for loops that did not come to their end, and for loops in what was searched for.',
  })
  readonly durationMs!: number | null;

  @Field(() => ID, { nullable: true, description: 'Id of the step, within its workflow.' })
  readonly stepId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of a method; of a run and its flowchart the title of the workflow.',
  })
  readonly name!: string | null;

  @Field(() => String, { nullable: true, description: 'What people call the method.' })
  readonly label!: string | null;

  @Field(() => CalledConnector, {
    nullable: true,
    description: 'The connector that the method called.',
  })
  readonly connector!: CalledConnector | null;

  @Field(() => Int, { nullable: true, description: 'Of a method: 1 for the first try.' })
  readonly attempt!: number | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the answer, if there was one.' })
  readonly statusCode!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The condition as it was saved; in lists its first 300 characters.',
  })
  readonly expression!: string | null;

  @Field(() => Boolean, { nullable: true, description: 'What a condition came to.' })
  readonly result!: boolean | null;

  @Field(() => String, { nullable: true, description: 'Iterator of a loop.' })
  readonly iterator!: string | null;

  @Field(() => Int, { nullable: true, description: 'The turns a loop has.' })
  readonly size!: number | null;

  @Field(() => StepError, { nullable: true, description: 'Why it failed.' })
  readonly error!: StepError | null;
}

@ObjectType({ description: 'An element of a log, with what was sent and what came back.' })
export class LogElementDetails {
  @Field(() => LogElement, { description: 'The element.' })
  readonly element!: LogElement;

  @Field(() => RequestSegment, { nullable: true, description: 'What was sent.' })
  readonly request!: RequestSegment | null;

  @Field(() => ResponseSegment, { nullable: true, description: 'What came back.' })
  readonly response!: ResponseSegment | null;
}

@ObjectType({ description: 'A turn of a loop in a log.' })
export class LogTurn {
  @Field(() => String, { description: 'Index of the loop.' })
  readonly index!: string;

  @Field(() => [Int], {
    name: 'loopIndex',
    description: 'Turns, from 0, of the loops around it and its own, the outermost first.',
  })
  readonly turns!: readonly number[];

  @Field(() => DateTime, { description: 'When it began.' })
  readonly startedAt!: Date;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The loop variable in it: index, key or part.',
  })
  readonly value!: string | number | null;
}

@InputType({ description: 'What is looked for in logs: all that is given must fit.' })
export class LogSearchInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Stands in a name, label, connector, URL, condition, error, or the body of a request or answer, whatever its case; at most 200 characters. Bodies are searched as they are kept: masked, and cut where they are long.',
  })
  readonly text?: string | null;

  @Field(() => [LogElementState], { nullable: true, description: 'One of these states.' })
  readonly states?: ElementStateName[] | null;

  @Field(() => [LogElementType], {
    nullable: true,
    description: 'One of these types; runs and flowcharts are not searched.',
  })
  readonly types?: ElementTypeName[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id, index or name of a step; at most 200 characters.',
  })
  readonly step?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'It began then or later.' })
  readonly from?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'It began before.' })
  readonly before?: Date | null;
}
