import { Field, ID, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { DateTime, JSONValue } from '../../../platform/graphql/schema/scalars';
import { HttpMethod } from '../../workflows/document/step.types';
import type { HttpMethod as HttpMethodName } from '../../../engine';
import { RunError } from '../run.types';
import type { SampleSourceName, StepSample as StepSampleRecord } from './sample.service';

const SampleSource = enumOf(
  {
    TEST: 'A test of yours.',
    RUN: 'A run with a log.',
    PINNED: 'An answer that a user has pinned.',
    TYPED: 'An answer that a user has typed.',
  } satisfies Record<SampleSourceName, string>,
  'SampleSource',
  'Where the sample of a step comes from.',
);

const TRUNCATED =
  'Whether the recorded body ends early; of JSON, the fields and entries up to there are shown.';

@ObjectType({ description: 'The request of a sample, with secrets masked.' })
export class SampleRequest {
  @Field(() => HttpMethod, { description: 'HTTP method.' })
  readonly method!: HttpMethodName;

  @Field(() => String, { description: 'Called URL.' })
  readonly url!: string;

  @Field(() => JSONValue, { description: 'Header names and values.' })
  readonly header!: Record<string, string>;

  @Field(() => JSONValue, { nullable: true, description: 'The body, if it is JSON.' })
  readonly body!: unknown;

  @Field(() => String, { nullable: true, description: 'The body, if it is not JSON.' })
  readonly bodyText!: string | null;

  @Field(() => Boolean, { description: TRUNCATED })
  readonly truncated!: boolean;
}

@ObjectType({ description: 'The answer of a sample, with secrets masked.' })
export class SampleAnswer {
  @Field(() => Int, { description: 'HTTP status.' })
  readonly status!: number;

  @Field(() => JSONValue, { description: 'Header names and values.' })
  readonly header!: Record<string, string>;

  @Field(() => JSONValue, { nullable: true, description: 'The body, if it is JSON.' })
  readonly body!: unknown;

  @Field(() => String, { nullable: true, description: 'The body, if it is not JSON.' })
  readonly bodyText!: string | null;

  @Field(() => Boolean, { description: TRUNCATED })
  readonly truncated!: boolean;
}

@ObjectType({
  description:
    'What a method sent and received: the stored sample, or else the last exchange in the log of a test of yours or of a run. In a loop it is that of the first iteration, or the one that failed.',
})
export class StepSample {
  readonly runId!: StepSampleRecord['runId'];

  @Field(() => ID, { description: 'Id of the step within its workflow.' })
  readonly stepId!: string;

  @Field(() => DateTime, { description: 'When it was received or stored.' })
  readonly at!: Date;

  @Field(() => SampleSource, { description: 'Where it comes from.' })
  readonly source!: SampleSourceName;

  @Field(() => [Int], {
    description: 'Iterations of the enclosing loops, from 0, outermost first.',
  })
  readonly iteration!: readonly number[];

  @Field(() => RunError, { nullable: true, description: 'Why the step failed, if it did.' })
  readonly error!: RunError | null;
}

export const SampleSetInput = inputType('SampleSetInput', 'A sample of a step to store.', {
  workflowId: [ID, 'Global or integer id of the workflow.'],
  stepId: [ID, 'The step.'],
  answer: [
    optional(JSONValue),
    'The body of the answer; a text is no JSON. Default: the last answer of the step, as `Workflow.samples` shows it, is pinned.',
  ],
  status: [optional(Int), 'HTTP status, 100 to 599. Default: 200, or that of the pinned answer.'],
});
export type SampleSetInput = InstanceType<typeof SampleSetInput>;

export const SampleRemoveInput = inputType(
  'SampleRemoveInput',
  'A step whose stored sample is removed.',
  {
    workflowId: [ID, 'Global or integer id of the workflow.'],
    stepId: [ID, 'The step.'],
  },
);
export type SampleRemoveInput = InstanceType<typeof SampleRemoveInput>;
