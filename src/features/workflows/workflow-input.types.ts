import { Field, ID, InputType, Int } from 'type-graphql';
import type { OperatorType as OperatorTypeName } from '../../engine';
import type { PathTable } from '../../platform/errors/findings';
import type { InputIds } from '../../platform/graphql/ids';
import { JSONValue } from '../../platform/graphql/scalars';
import type { MethodTypeName } from './workflow.document';
import { MethodType, OperatorType } from './steps/step.types';
import type { WorkflowChange } from './workflow-change';

@InputType({ description: 'The connector a method calls.' })
export class StepConnectorInput {
  @Field(() => Int, { nullable: true, description: 'Integer id of the connector.' })
  readonly connectorId?: number | null;

  @Field(() => String, { nullable: true, description: 'Its title, for people.' })
  readonly title?: string | null;
}

@InputType({ description: 'The body of a request.' })
export class RequestBodyInput {
  @Field(() => String, {
    nullable: true,
    description: '`object`, `array` or `string`; others are kept.',
  })
  readonly type?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      '`json`, `xml`, `text` or `x-www-form-urlencoded`; others are kept, and sent as JSON.',
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
    description: 'The verb; kept as it comes, and judged by a run.',
  })
  readonly method?: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'Header names and values.' })
  readonly header?: unknown;

  @Field(() => RequestBodyInput, { nullable: true, description: 'The body, if there is one.' })
  readonly body?: RequestBodyInput | null;
}

@InputType({ description: 'What a step that calls something has besides its place.' })
export class MethodContentInput {
  @Field(() => String, { nullable: true, description: 'Name of the operation.' })
  readonly name?: string | null;

  @Field(() => String, { nullable: true, description: 'What people call it.' })
  readonly label?: string | null;

  @Field(() => String, { nullable: true, description: '`#RRGGBB`: how references name this step.' })
  readonly color?: string | null;

  @Field(() => MethodType, { nullable: true, description: 'What it calls.' })
  readonly methodType?: MethodTypeName | null;

  @Field(() => StepConnectorInput, { nullable: true, description: 'The connector it calls.' })
  readonly connector?: StepConnectorInput | null;

  @Field(() => StepRequestInput, { nullable: true, description: 'What it sends.' })
  readonly request?: StepRequestInput | null;

  @Field(() => JSONValue, { nullable: true, description: 'The shape of the answer, for editors.' })
  readonly response?: unknown;

  @Field(() => Int, {
    nullable: true,
    description:
      'Longest it may take with all its tries, ms, an hour at most; 0 or none: what its connector says, or the configuration.',
  })
  readonly timeout?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How often it is tried again when what goes wrong may pass, 10 times at most; none: as configured for verbs that may be repeated, else never.',
  })
  readonly retries?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The first pause between two tries, ms, a minute at most; each further one is twice as long. None: as configured.',
  })
  readonly backoff?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Integer id of the aggregator that is to be evaluated over its calls; 0 or null: none.',
  })
  readonly dataAggregator?: number | null;
}

@InputType({
  description:
    'A step that calls something. With the `stepId` of a step that is there, fields that are not given stay.',
})
export class MethodStepInput extends MethodContentInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Identifies the step within the workflow; made when it is missing.',
  })
  readonly stepId?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Its place in the order of execution: `1_0` is the first step inside operator `1`.',
  })
  readonly index?: string | null;
}

@InputType({ description: 'What a step that decides or repeats has besides its place.' })
export class OperatorContentInput {
  @Field(() => OperatorType, { nullable: true, description: 'Decides, or repeats.' })
  readonly type?: OperatorTypeName | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The condition, or what the loop goes over. None: refused with OPERATOR_EXPRESSION_IS_EMPTY.',
  })
  readonly expression?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the loop variable.' })
  readonly iterator?: string | null;
}

@InputType({
  description:
    'A step that decides or repeats. With the `stepId` of a step that is there, fields that are not given stay.',
})
export class OperatorStepInput extends OperatorContentInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Identifies the step within the workflow; made when it is missing.',
  })
  readonly stepId?: string | null;

  @Field(() => String, { nullable: true, description: 'Its place in the order of execution.' })
  readonly index?: string | null;
}

@InputType({ description: 'One end of a field binding.' })
export class BindingEndInput {
  @Field(() => String, {
    nullable: true,
    description: 'The colour of the method that the field belongs to.',
  })
  readonly color?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`response`, `request`, `path` or `header`.',
  })
  readonly type?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Path of the field in the request or answer of the method: `id`, `items[*].name`.',
  })
  readonly field?: string | null;
}

@InputType({ description: 'The script between the ends of a field binding.' })
export class EnhancementInput {
  @Field(() => String, { nullable: true, description: 'What people call the script.' })
  readonly name?: string | null;

  @Field(() => String, { nullable: true, description: 'What the script does, for people to read.' })
  readonly description?: string | null;

  @Field(() => String, { nullable: true, description: '`js`; others are kept.' })
  readonly language?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The variables it reads and the one it sets.',
  })
  readonly expertVar?: string | null;

  @Field(() => String, { nullable: true, description: 'The text of the script.' })
  readonly expertCode?: string | null;
}

@InputType({
  description:
    'Wires fields of answers to a field of a request. With the `bindingId` of a binding that is there, fields that are not given stay.',
})
export class FieldBindingInput {
  @Field(() => ID, { nullable: true, description: 'Identifies the binding within the workflow.' })
  readonly bindingId?: string | null;

  @Field(() => [BindingEndInput], { nullable: true, description: 'Where values come from.' })
  readonly from?: BindingEndInput[] | null;

  @Field(() => [BindingEndInput], { nullable: true, description: 'Where the value goes.' })
  readonly to?: BindingEndInput[] | null;

  @Field(() => EnhancementInput, { nullable: true, description: 'What happens in between.' })
  readonly enhancement?: EnhancementInput | null;
}

@InputType({
  description:
    'The content of a workflow. Of a workflow that is there, what is not given stays; a list that is given becomes the whole list.',
})
export class WorkflowInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Required for a new workflow. 128 characters at most, unique without regard to case.',
  })
  readonly title?: string | null;

  @Field(() => String, { nullable: true, description: 'What it is for; 512 characters at most.' })
  readonly description?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The category it is in, global id or integer; null takes it out of one.',
  })
  readonly categoryId?: string | null;

  @Field(() => [MethodStepInput], { nullable: true, description: 'Steps that call something.' })
  readonly methods?: MethodStepInput[] | null;

  @Field(() => [OperatorStepInput], { nullable: true, description: 'Steps that decide or repeat.' })
  readonly operators?: OperatorStepInput[] | null;

  @Field(() => [FieldBindingInput], { nullable: true, description: 'Wiring between steps.' })
  readonly fieldBindings?: FieldBindingInput[] | null;

  @Field(() => JSONValue, { nullable: true, description: 'The layout; kept as it comes.' })
  readonly ui?: unknown;
}

/**
 * Converts an input to a change. GraphQL uses `stepId` and `bindingId` where documents use `id`,
 * because client caches expect an `id` to be globally unique.
 */
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

/** Maps paths of a document to paths of inputs with a `workflow` field, for errors. */
export const IN_WORKFLOW: PathTable = [
  [
    ['fromConnector', 'methods', '*', 'id'],
    ['workflow', 'methods', '*', 'stepId'],
  ],
  [
    ['fromConnector', 'operators', '*', 'id'],
    ['workflow', 'operators', '*', 'stepId'],
  ],
  [
    ['fieldBinding', '*', 'id'],
    ['workflow', 'fieldBindings', '*', 'bindingId'],
  ],
  [
    ['fromConnector', 'methods'],
    ['workflow', 'methods'],
  ],
  [
    ['fromConnector', 'operators'],
    ['workflow', 'operators'],
  ],
  [['fieldBinding'], ['workflow', 'fieldBindings']],
  ...['title', 'description', 'categoryId', 'ui'].map(
    (name) => [[name], ['workflow', name]] as const,
  ),
];
