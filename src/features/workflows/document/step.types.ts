import { Field, ID, Int, InterfaceType, ObjectType } from 'type-graphql';
import { STEP_TYPES } from '../../../engine';
import type {
  HttpMethod as HttpMethodName,
  OperatorType as OperatorTypeName,
} from '../../../engine';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import type {
  BindingEndView,
  EnhancementView,
  FieldBindingView,
  MethodStepView,
  OperatorStepView,
  RequestView,
} from './step.presenter';
import type { Side } from './two-sides';
import { METHOD_TYPES } from './workflow-document';
import type { MethodTypeName } from './workflow-document';

/** Null in legacy data. */
export const MethodType = enumOf(
  Object.fromEntries(METHOD_TYPES.map((type) => [type, STEP_TYPES[type].description])) as Record<
    MethodTypeName,
    string
  >,
  'MethodType',
  'The kind of call of a method. Null in legacy data, where it is inferred.',
);

export const HttpMethod = enumOf(
  {
    GET: 'Reads a resource.',
    POST: 'Submits data.',
    PUT: 'Replaces a resource.',
    PATCH: 'Changes part of a resource.',
    DELETE: 'Deletes a resource.',
    HEAD: 'Reads only the headers.',
    OPTIONS: 'Reads the allowed methods.',
  } satisfies Record<HttpMethodName, string>,
  'HttpMethod',
  'HTTP method of a request.',
);

export const OperatorType = enumOf(
  {
    if: 'Executes the steps inside only if its expression is true.',
    loop: 'Repeats the steps inside.',
  } satisfies Record<OperatorTypeName, string>,
  'OperatorType',
  'What an operator does.',
);

@ObjectType({ description: 'The connector a method calls.' })
export class StepConnector {
  @Field(() => Int, { nullable: true, description: 'Integer id of the connector.' })
  readonly connectorId!: number | null;

  @Field(() => String, { nullable: true, description: 'Its title when the workflow was saved.' })
  readonly title!: string | null;
}

@ObjectType({ description: 'The body of a request.' })
export class RequestBody {
  @Field(() => String, {
    nullable: true,
    description: '`object`, `array` or `string`. A text: editors save others, which are kept.',
  })
  readonly type!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      '`json`, `xml`, `text` or `x-www-form-urlencoded`. A text: others are kept, and sent as JSON.',
  })
  readonly format!: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`raw`, `graphql` and others that editors have.',
  })
  readonly data!: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'The content: values and references.' })
  readonly fields!: unknown;
}

@ObjectType({ description: 'The request of a method.' })
export class StepRequest implements RequestView {
  @Field(() => String, { nullable: true, description: 'The URL, with references in it.' })
  readonly endpoint!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The HTTP method as it was saved: unfinished work is kept, and a run refuses what is no HTTP method.',
  })
  readonly method!: string | null;

  @Field(() => HttpMethod, {
    nullable: true,
    description: 'The HTTP method; null if `method` is missing or names none.',
  })
  readonly httpMethod!: HttpMethodName | null;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Header names and values, with references in the values.',
  })
  readonly header!: unknown;

  @Field(() => RequestBody, { nullable: true, description: 'The body, if there is one.' })
  readonly body!: RequestBody | null;
}

export const StepSide = enumOf(
  {
    from: 'The source connector.',
    to: 'The target connector.',
  } satisfies Record<Side, string>,
  'StepSide',
  'The connector of a 4.x client to which a step belongs.',
);

@InterfaceType({
  description: 'One step of a workflow.',
  resolveType: ({ kind }: MethodStepView | OperatorStepView) => kind,
})
export abstract class Step {
  @Field(() => ID, {
    description: 'Identifies the step within its workflow: steps of others may have the same.',
  })
  readonly stepId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Its place in the order of execution: `1_0` is the first step inside operator `1`.',
  })
  readonly index!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The operator that contains it; null if none does.',
  })
  readonly parentStepId!: string | null;

  @Field(() => StepSide, {
    nullable: true,
    description: 'Its side for 4.x clients. Null if none of them wrote the workflow.',
  })
  readonly side!: Side | null;

  @Field(() => Boolean, {
    description: 'False: it is skipped, with everything in it, and references to it are null.',
  })
  readonly enabled!: boolean;
}

@ObjectType({ implements: Step, description: 'A step that sends a request.' })
export class MethodStep extends Step implements MethodStepView {
  readonly kind!: 'MethodStep';

  @Field(() => String, { nullable: true, description: 'Name of the operation.' })
  readonly name!: string | null;

  @Field(() => String, { nullable: true, description: 'Its label in the editor.' })
  readonly label!: string | null;

  @Field(() => String, { nullable: true, description: '`#RRGGBB`: how references name this step.' })
  readonly color!: string | null;

  @Field(() => MethodType, { nullable: true, description: 'The kind of call.' })
  readonly methodType!: MethodTypeName | null;

  @Field(() => StepConnector, {
    nullable: true,
    description: 'The connector that it calls; null if it calls none.',
  })
  readonly connector!: StepConnector | null;

  @Field(() => StepRequest, { nullable: true, description: 'The request that it sends.' })
  readonly request!: StepRequest | null;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The shape of the response, as the editor saved it.',
  })
  readonly response!: MethodStepView['response'];

  @Field(() => Int, {
    nullable: true,
    description: 'Timeout for all attempts together, ms; null: the default.',
  })
  readonly timeout!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of retries; null: the default.',
  })
  readonly retries!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The first delay between two attempts, ms; null: the default.',
  })
  readonly backoff!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Integer id of the aggregator that is evaluated over its calls; null: none.',
  })
  readonly dataAggregator!: number | null;

  @Field(() => Boolean, {
    description: 'Whether it ends with REFERENCE_EMPTY if one of its references is null.',
  })
  readonly required!: boolean;

  @Field(() => Boolean, { description: 'Whether it may be sent again after a crash.' })
  readonly repeatable!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Statuses that count as success, such as `200-299, 404`; null: those below 400, or as the operation says.',
  })
  readonly successStatus!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the files in its form-data body, with references in it; null: they keep theirs.',
  })
  readonly fileName!: string | null;
}

@ObjectType({ implements: Step, description: 'A condition or a loop.' })
export class OperatorStep extends Step implements OperatorStepView {
  readonly kind!: 'OperatorStep';

  @Field(() => OperatorType, {
    nullable: true,
    description:
      'What it does; null for what this service does not know, which REST shows as it was saved.',
  })
  readonly type!: OperatorTypeName | null;

  @Field(() => String, { description: 'The condition, or the list that the loop iterates over.' })
  readonly expression!: string;

  @Field(() => String, { nullable: true, description: 'Name of the loop variable: `i`, `j`, …' })
  readonly iterator!: string | null;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The condition in the form of the 4.x line, unchanged.',
  })
  readonly condition!: unknown;
}

@ObjectType({ description: 'One end of a field binding.' })
export class BindingEnd implements BindingEndView {
  @Field(() => String, {
    nullable: true,
    description: 'The colour of the method that the field belongs to.',
  })
  readonly color!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      '`response`, `request`, `path` or `header`. A text: others are kept as they were saved.',
  })
  readonly type!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Path of the field in the request or answer of the method: `id`, `items[*].name`.',
  })
  readonly field!: string | null;
}

@ObjectType({ description: 'The script between the ends of a field binding.' })
export class Enhancement implements EnhancementView {
  @Field(() => String, { nullable: true, description: 'The name of the script.' })
  readonly name!: string | null;

  @Field(() => String, { nullable: true, description: 'A description of the script.' })
  readonly description!: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`js`. A text: scripts in other languages are kept as they were saved.',
  })
  readonly language!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The variables it reads and the one it sets.',
  })
  readonly expertVar!: string | null;

  @Field(() => String, { nullable: true, description: 'The text of the script.' })
  readonly expertCode!: string | null;
}

@ObjectType({
  description:
    'Maps fields of responses to a field of a request. Methods are named by their colours.',
})
export class FieldBinding implements FieldBindingView {
  @Field(() => ID, {
    nullable: true,
    description:
      'Identifies the binding within its workflow: bindings of others may have the same.',
  })
  readonly bindingId!: string | null;

  @Field(() => [BindingEnd], { description: 'The sources of the value.' })
  readonly from!: BindingEnd[];

  @Field(() => [BindingEnd], { description: 'The targets of the value.' })
  readonly to!: BindingEnd[];

  @Field(() => Enhancement, { nullable: true, description: 'The script between them.' })
  readonly enhancement!: Enhancement | null;
}
