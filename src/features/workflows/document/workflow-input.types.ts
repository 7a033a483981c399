import { Field, ID, InputType, Int } from 'type-graphql';
import type { OperatorType as OperatorTypeName } from '../../../engine';
import type { InputPath } from '../../../platform/errors/errors';
import type { PathTable } from '../../../platform/errors/findings';
import type { InputIds } from '../../../platform/graphql/schema/ids';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import type { MethodTypeName } from './workflow-document';
import { FieldBindingInput } from './binding-input.types';
import { MethodType, OperatorType } from './step.types';
import type { WorkflowChange } from './workflow-content';
import { DESCRIPTION_LENGTH } from './workflow-document';
import { inCharacters } from '../../../platform/text/characters';

@InputType({ description: 'The connector that a method calls.' })
export class StepConnectorInput {
  @Field(() => Int, { nullable: true, description: 'Integer id of the connector.' })
  readonly connectorId?: number | null;

  @Field(() => String, { nullable: true, description: 'Its title, for users.' })
  readonly title?: string | null;
}

@InputType({ description: 'The body of a request.' })
class RequestBodyInput {
  @Field(() => String, {
    nullable: true,
    description: '`object`, `array` or `string`; other values are kept.',
  })
  readonly type?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      '`json`, `xml`, `text` or `x-www-form-urlencoded`; other values are kept and sent as JSON.',
  })
  readonly format?: string | null;

  @Field(() => String, { nullable: true, description: '`raw`, `graphql` and others.' })
  readonly data?: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'The content: values and references.' })
  readonly fields?: unknown;
}

@InputType({ description: 'What a method sends.' })
export class StepRequestInput {
  @Field(() => String, { nullable: true, description: 'The URL, with references in it.' })
  readonly endpoint?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The HTTP method; stored unchanged and checked by a run.',
  })
  readonly method?: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'Header names and values.' })
  readonly header?: unknown;

  @Field(() => RequestBodyInput, { nullable: true, description: 'The body, if there is one.' })
  readonly body?: RequestBodyInput | null;
}

@InputType({ description: 'The fields of a method other than its position.' })
export class MethodContentInput {
  @Field(() => String, { nullable: true, description: 'Name of the operation.' })
  readonly name?: string | null;

  @Field(() => String, { nullable: true, description: 'Its label for users.' })
  readonly label?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`#RRGGBB`: references identify the step by its colour.',
  })
  readonly color?: string | null;

  @Field(() => MethodType, { nullable: true, description: 'What it calls.' })
  readonly methodType?: MethodTypeName | null;

  @Field(() => StepConnectorInput, { nullable: true, description: 'The connector it calls.' })
  readonly connector?: StepConnectorInput | null;

  @Field(() => StepRequestInput, { nullable: true, description: 'What it sends.' })
  readonly request?: StepRequestInput | null;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The shape of the response, for editors.',
  })
  readonly response?: unknown;

  @Field(() => Int, {
    nullable: true,
    description:
      'Timeout including all attempts, ms, at most an hour. 0 or null: that of its connector, or the configured one.',
  })
  readonly timeout?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of retries after temporary failures, at most 10. Null: as configured for HTTP methods that may be repeated, else none.',
  })
  readonly retries?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Pause before the first retry, ms, at most a minute; it doubles with each further retry. Null: as configured.',
  })
  readonly backoff?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Integer id of the aggregator that is evaluated over its calls; 0 or null: none.',
  })
  readonly dataAggregator?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it ends with REFERENCE_EMPTY if one of its references is null.',
  })
  readonly required?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the files in its form-data body, with references in it; null: they keep theirs.',
  })
  readonly fileName?: string | null;
}

@InputType({
  description:
    'A step that calls something. With the `stepId` of an existing step, fields that are not given keep their value.',
})
export class MethodStepInput extends MethodContentInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Identifies the step within the workflow; created if missing.',
  })
  readonly stepId?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Its position in the execution order: `1_0` is the first step inside operator `1`.',
  })
  readonly index?: string | null;
}

@InputType({ description: 'The fields of an operator other than its position.' })
export class OperatorContentInput {
  @Field(() => OperatorType, { nullable: true, description: 'Condition or loop.' })
  readonly type?: OperatorTypeName | null;

  @Field(() => String, {
    nullable: true,
    description: 'The condition, or the list of the loop. Missing: OPERATOR_EXPRESSION_IS_EMPTY.',
  })
  readonly expression?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the loop variable.' })
  readonly iterator?: string | null;
}

@InputType({
  description:
    'A condition or loop. With the `stepId` of an existing step, fields that are not given keep their value.',
})
export class OperatorStepInput extends OperatorContentInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Identifies the step within the workflow; created if missing.',
  })
  readonly stepId?: string | null;

  @Field(() => String, { nullable: true, description: 'Its position in the execution order.' })
  readonly index?: string | null;
}

@InputType({
  description:
    'The content of a workflow. Fields of an existing workflow that are not given keep their value; a given list replaces the whole list.',
})
export class WorkflowInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Required for a new workflow. At most 128 characters, unique without regard to case.',
  })
  readonly title?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `Its purpose; at most ${inCharacters(DESCRIPTION_LENGTH)}.`,
  })
  readonly description?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Its category, global id or integer; null removes it from its category.',
  })
  readonly categoryId?: string | null;

  @Field(() => [MethodStepInput], { nullable: true, description: 'Steps that call something.' })
  readonly methods?: MethodStepInput[] | null;

  @Field(() => [OperatorStepInput], { nullable: true, description: 'Conditions and loops.' })
  readonly operators?: OperatorStepInput[] | null;

  @Field(() => [FieldBindingInput], {
    nullable: true,
    description: 'Field bindings between steps.',
  })
  readonly fieldBindings?: FieldBindingInput[] | null;

  @Field(() => JSONValue, { nullable: true, description: 'The layout; stored unchanged.' })
  readonly ui?: unknown;
}

/** GraphQL uses `stepId` and `bindingId` where documents use `id`: client caches need unique ids. */
export function changeOf(
  { methods, operators, fieldBindings, categoryId, ...rest }: WorkflowInput,
  ids: Pick<InputIds, 'read'>,
): WorkflowChange {
  return {
    ...rest,
    categoryId:
      categoryId == null
        ? categoryId
        : ids.read('Category', categoryId, ['workflow', 'categoryId']),
    methods: methods?.map(({ stepId, ...method }) => ({ id: stepId, ...method })) ?? methods,
    operators:
      operators?.map(({ stepId, ...operator }) => ({ id: stepId, ...operator })) ?? operators,
    fieldBindings:
      fieldBindings?.map(({ bindingId, ...binding }) => ({ id: bindingId, ...binding })) ??
      fieldBindings,
  };
}

const renamed = (path: InputPath, sentAs: InputPath) => [path, ['workflow', ...sentAs]] as const;

/** Maps paths of a document to paths of inputs with a `workflow` field, for errors. */
export const IN_WORKFLOW: PathTable = [
  renamed(['fromConnector', 'methods', '*', 'id'], ['methods', '*', 'stepId']),
  renamed(['fromConnector', 'operators', '*', 'id'], ['operators', '*', 'stepId']),
  renamed(['fieldBinding', '*', 'id'], ['fieldBindings', '*', 'bindingId']),
  renamed(['fromConnector', 'methods'], ['methods']),
  renamed(['fromConnector', 'operators'], ['operators']),
  renamed(['fieldBinding'], ['fieldBindings']),
  ...['title', 'description', 'categoryId', 'ui'].map((name) => renamed([name], [name])),
];
