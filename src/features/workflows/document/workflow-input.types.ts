import { ID, Int } from 'type-graphql';
import { BadInput } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import type { PathTable } from '../../../platform/errors/findings';
import type { InputIds } from '../../../platform/graphql/schema/ids';
import { addField, inputType, optional } from '../../../platform/graphql/schema/input-type';
import { VersionedInput } from '../../../platform/graphql/schema/payload';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import { requireOneHttpMethod } from './http-method';
import { SentSteps } from '../editing/sent-steps';
import { FieldBindingInput } from './binding-input.types';
import { HttpMethod, MethodType, OperatorType } from './step.types';
import type { WorkflowChange } from './workflow-content';
import { DESCRIPTION_LENGTH } from './workflow-document';
import { inCharacters } from '../../../platform/text/characters';

export const StepConnectorInput = inputType(
  'StepConnectorInput',
  'The connector that a method calls.',
  {
    connectorId: [optional(Int), 'Integer id of the connector.'],
    title: [optional(String), 'Its title, for users.'],
  },
);

const RequestBodyInput = inputType('RequestBodyInput', 'The body of a request.', {
  type: [optional(String), '`object`, `array` or `string`; other values are kept.'],
  format: [
    optional(String),
    '`json`, `xml`, `text` or `x-www-form-urlencoded`; other values are kept and sent as JSON.',
  ],
  data: [optional(String), '`raw`, `graphql` and others.'],
  fields: [optional(JSONValue), 'The content: values and references.'],
});
type RequestBodyInput = InstanceType<typeof RequestBodyInput>;

export const StepRequestInput = inputType('StepRequestInput', 'What a method sends.', {
  endpoint: [optional(String), 'The URL, with references in it.'],
  httpMethod: [optional(HttpMethod), 'The HTTP method. Missing: GET.'],
  method: [
    optional(String),
    'The HTTP method as in documents, in place of `httpMethod`: stored unchanged and checked by a run.',
  ],
  header: [optional(JSONValue), 'Header names and values.'],
  body: [optional(RequestBodyInput), 'The body, if there is one.'],
});

const ENABLED = 'False: it is skipped, with everything in it. Null: true.';

export const MethodContentInput = inputType(
  'MethodContentInput',
  'The fields of a method other than its position.',
  {
    name: [optional(String), 'Name of the operation.'],
    label: [optional(String), 'Its label for users.'],
    color: [optional(String), '`#RRGGBB`: references identify the step by its colour.'],
    methodType: [optional(MethodType), 'What it calls.'],
    connector: [optional(StepConnectorInput), 'The connector it calls.'],
    request: [optional(StepRequestInput), 'What it sends.'],
    response: [optional(JSONValue), 'The shape of the response, for editors.'],
    timeout: [
      optional(Int),
      'Timeout including all attempts, ms, at most an hour. 0 or null: that of its connector, or the configured one.',
    ],
    retries: [
      optional(Int),
      'Number of retries after temporary failures, at most 10. Null: as configured for HTTP methods that may be repeated, else none.',
    ],
    backoff: [
      optional(Int),
      'Pause before the first retry, ms, at most a minute; it doubles with each further retry. Null: as configured.',
    ],
    dataAggregator: [
      optional(Int),
      'Integer id of the aggregator that is evaluated over its calls; 0 or null: none.',
    ],
    required: [
      optional(Boolean),
      'Whether it ends with REFERENCE_EMPTY if one of its references is null.',
    ],
    repeatable: [
      optional(Boolean),
      'Whether what it sends may be sent again when its run goes on after a crash, whatever its HTTP method.',
    ],
    successStatus: [
      optional(String),
      'Statuses that count as success, such as `200-299, 404`. Null: those below 400, or as the operation says.',
    ],
    enabled: [optional(Boolean), ENABLED],
    fileName: [
      optional(String),
      'Name of the files in its form-data body, with references in it; null: they keep theirs.',
    ],
  },
);

const STEP_ID = [
  optional(ID),
  'Identifies the step within the workflow; created if missing.',
] as const;
const OF_EXISTING =
  'With the `stepId` of an existing step, fields that are not given keep their value.';

const MethodStepInput = inputType(
  'MethodStepInput',
  `A step that calls something. ${OF_EXISTING}`,
  { stepId: STEP_ID },
  MethodContentInput,
);

const MethodDocumentInput = inputType(
  'MethodDocumentInput',
  `A method as in documents, with its index. ${OF_EXISTING}`,
  {
    stepId: STEP_ID,
    index: [
      optional(String),
      'Its position in the execution order: `1_0` is the first step inside operator `1`.',
    ],
  },
  MethodContentInput,
);

export const OperatorContentInput = inputType(
  'OperatorContentInput',
  'The fields of an operator other than its position.',
  {
    type: [optional(OperatorType), 'Condition or loop.'],
    expression: [
      optional(String),
      'The condition, or the list of the loop. Missing: OPERATOR_EXPRESSION_IS_EMPTY.',
    ],
    iterator: [optional(String), 'Name of the loop variable.'],
    enabled: [optional(Boolean), ENABLED],
  },
);

const OperatorStepInput = inputType(
  'OperatorStepInput',
  `A condition or loop, with the steps inside. ${OF_EXISTING}`,
  { stepId: STEP_ID },
  OperatorContentInput,
);

const StepInput = inputType('StepInput', 'A step: give either `method` or `operator`.', {
  method: [optional(MethodStepInput), 'A step that calls something.'],
  operator: [optional(OperatorStepInput), 'A condition or loop.'],
});
addField(OperatorStepInput, 'steps', () => [StepInput], 'The steps inside, in execution order.');

const OperatorDocumentInput = inputType(
  'OperatorDocumentInput',
  `An operator as in documents, with its index. ${OF_EXISTING}`,
  {
    stepId: STEP_ID,
    index: [optional(String), 'Its position in the execution order.'],
  },
  OperatorContentInput,
);

const TITLE = 'At most 128 characters, unique without regard to case.';

/** Fields of every input with the content of a workflow, next to the title. */
const CONTENT = {
  description: [optional(String), `Its purpose; at most ${inCharacters(DESCRIPTION_LENGTH)}.`],
  categoryId: [
    optional(ID),
    'Its category, global id or integer; null removes it from its category.',
  ],
  steps: [
    optional([StepInput]),
    'Its steps as a tree, in execution order: their order gives their indexes. A new method without a colour gets one.',
  ],
  methods: [
    optional([MethodDocumentInput]),
    'Steps that call something, as in documents; not together with `steps`.',
  ],
  operators: [
    optional([OperatorDocumentInput]),
    'Conditions and loops, as in documents; not together with `steps`.',
  ],
  fieldBindings: [optional([FieldBindingInput]), 'Field bindings between steps.'],
  ui: [optional(JSONValue), 'The layout; stored unchanged.'],
} as const;
const COMMENT = [optional(String), 'Comment on this version; at most 500 characters.'] as const;

export const WorkflowInput = inputType(
  'WorkflowInput',
  'The content of a workflow that is not saved.',
  { title: [optional(String), TITLE], ...CONTENT },
);
export type WorkflowInput = InstanceType<typeof WorkflowInput>;

export const WorkflowCreateInput = inputType('WorkflowCreateInput', 'A new workflow.', {
  title: [String, TITLE],
  ...CONTENT,
  comment: COMMENT,
});
export type WorkflowCreateInput = InstanceType<typeof WorkflowCreateInput>;

export const WorkflowUpdateInput = inputType(
  'WorkflowUpdateInput',
  'Changes of a workflow. Fields that are not given keep their value; a given list replaces the whole list.',
  {
    id: [ID, 'The workflow: global id or integer.'],
    title: [optional(String), TITLE],
    ...CONTENT,
    comment: COMMENT,
  },
  VersionedInput,
);
export type WorkflowUpdateInput = InstanceType<typeof WorkflowUpdateInput>;

/**
 * GraphQL uses `stepId` and `bindingId` where documents use `id`: client caches need unique ids.
 * @param paths receives the paths of `steps`, for errors
 * @param place path of the content in the input
 * @throws BadInput `steps` is given together with `methods` or `operators`
 */
export function changeOf(
  { title, description, ui, steps, methods, operators, fieldBindings, categoryId }: WorkflowInput,
  ids: Pick<InputIds, 'read'>,
  paths: PathTable[number][],
  place: InputPath = [],
): WorkflowChange {
  const stepsPlace = [...place, 'steps'];
  if (steps !== undefined && (methods !== undefined || operators !== undefined))
    throw new BadInput('ONE_OF_REQUIRED', 'Give either `steps`, or `methods` and `operators`.', {
      path: stepsPlace,
    });
  return {
    steps: steps === undefined ? steps : new SentSteps(steps ?? [], stepsPlace, paths),
    title,
    description,
    ui,
    categoryId:
      categoryId == null ? categoryId : ids.read('Category', categoryId, [...place, 'categoryId']),
    methods:
      methods?.map(({ stepId, ...method }, position) => {
        requireOneHttpMethod(method, [...place, 'methods', position]);
        return { id: stepId, ...method };
      }) ?? methods,
    operators:
      operators?.map(({ stepId, ...operator }) => ({ id: stepId, ...operator })) ?? operators,
    fieldBindings:
      fieldBindings?.map(({ bindingId, ...binding }) => ({ id: bindingId, ...binding })) ??
      fieldBindings,
  };
}

/** Maps paths of a document to paths of its input, for errors. */
export const CONTENT_PATHS: PathTable = [
  [
    ['fromConnector', 'methods', '*', 'id'],
    ['methods', '*', 'stepId'],
  ],
  [
    ['fromConnector', 'operators', '*', 'id'],
    ['operators', '*', 'stepId'],
  ],
  [
    ['fieldBinding', '*', 'id'],
    ['fieldBindings', '*', 'bindingId'],
  ],
  [['fromConnector', 'methods'], ['methods']],
  [['fromConnector', 'operators'], ['operators']],
  [['fieldBinding'], ['fieldBindings']],
];

/** The same for inputs with the content in `workflow`. */
export const IN_WORKFLOW: PathTable = [
  ...CONTENT_PATHS,
  ...['title', 'description', 'categoryId', 'ui'].map((name) => [[name], [name]] as const),
].map(([path, sentAs]) => [path, ['workflow', ...sentAs]]);
