import { derived } from '../../../platform/cache';
import { httpMethodOf, operatorTypeOf } from '../../../engine';
import type { HttpMethod, OperatorType } from '../../../engine';
import { deepFreeze } from '../../../platform/deep-freeze';
import { partIdOf } from './part-ids';
import { idOf } from './record-id';
import { allSteps, buildTree } from '../editing/step-tree';
import type { TreeStep } from '../editing/step-tree';
import type { JsonObject } from './json';
import { sidesOf } from './two-sides';
import type { Side } from './two-sides';
import { isJsonObject } from './json';
import type {
  MethodDocument,
  MethodTypeName,
  OperatorDocument,
  WorkflowDocument,
} from './workflow-document';

/** A method in GraphQL. Stored values that do not match the type of their field are null. */
export interface MethodStepView {
  readonly kind: 'MethodStep';
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly index: string | null;
  readonly side: Side | null;
  readonly name: string | null;
  readonly label: string | null;
  readonly color: string | null;
  readonly methodType: MethodTypeName | null;
  readonly connector: { readonly connectorId: number | null; readonly title: string | null } | null;
  readonly request: RequestView | null;
  readonly response: JsonObject | null;
  readonly timeout: number | null;
  readonly retries: number | null;
  readonly backoff: number | null;
  readonly dataAggregator: number | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly successStatus: string | null;
  readonly enabled: boolean;
  readonly fileName: string | null;
}

export interface RequestView {
  readonly endpoint: string | null;
  readonly method: string | null;
  readonly httpMethod: HttpMethod | null;
  readonly header: unknown;
  readonly body: {
    readonly type: string | null;
    readonly format: string | null;
    readonly data: string | null;
    readonly fields: unknown;
  } | null;
}

export interface OperatorStepView {
  readonly kind: 'OperatorStep';
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly index: string | null;
  readonly side: Side | null;
  readonly type: OperatorType | null;
  readonly expression: string;
  readonly iterator: string | null;
  readonly enabled: boolean;
  readonly condition: unknown;
}

export interface FieldBindingView {
  readonly bindingId: string | null;
  readonly from: readonly BindingEndView[];
  readonly to: readonly BindingEndView[];
  readonly enhancement: EnhancementView | null;
}

export interface BindingEndView {
  readonly color: string | null;
  readonly type: string | null;
  readonly field: string | null;
}

export interface EnhancementView {
  readonly name: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly expertVar: string | null;
  readonly expertCode: string | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
/** GraphQL integers have 32 bits. */
const int = (value: unknown): number | null =>
  typeof value === 'number' && (value | 0) === value ? value : null;
/**
 * The id of a connector, or 0 or -1 for none. Anything else is null: GraphQL integers have 32 bits.
 */
const connectorId = (value: unknown): number | null =>
  idOf(value) ?? (value === 0 || value === -1 ? value : null);
const objectOrNull = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);
const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

export type StepView = MethodStepView | OperatorStepView;

/** Steps of documents that do not change, such as those that `WorkflowContents` keeps. */
const stepsOfFrozen = derived((document: WorkflowDocument) => deepFreeze(stepsOf(document)));

/** Methods and operators in execution order. */
export const presentSteps = (document: WorkflowDocument): readonly StepView[] =>
  Object.isFrozen(document) ? stepsOfFrozen(document) : stepsOf(document);

function stepsOf(document: WorkflowDocument): readonly StepView[] {
  const nodes = allSteps(buildTree(document));
  const parentIds = new Map(
    nodes.flatMap(({ step, children }) => children.map((child) => [child, step.id])),
  );
  const sides = sidesOf(document);
  return nodes.map((node) =>
    presentStep(node, parentIds.get(node) ?? null, sides.get(node.step.id) ?? null),
  );
}

/**
 * @param parentStepId the operator that contains the step
 * @param side its side, if a 4.x client wrote the workflow
 */
export const presentStep = (
  { kind, step }: Pick<TreeStep, 'kind' | 'step'>,
  parentStepId: string | null,
  side: Side | null = null,
): StepView => ({
  ...(kind === 'method'
    ? presentMethod(step, parentStepId)
    : presentOperator(step as OperatorDocument, parentStepId)),
  side,
});

function presentMethod(
  method: MethodDocument,
  parentStepId: string | null,
): Omit<MethodStepView, 'side'> {
  const connector = objectOrNull(method.connector);
  return {
    kind: 'MethodStep',
    stepId: method.id,
    parentStepId,
    index: method.index ?? null,
    name: method.name ?? null,
    label: method.label ?? null,
    color: method.color ?? null,
    methodType: method.methodType ?? null,
    connector: connector && {
      connectorId: connectorId(connector.connectorId),
      title: text(connector.title),
    },
    request: presentRequest(objectOrNull(method.request)),
    response: objectOrNull(method.response),
    timeout: int(method.timeout),
    retries: int(method.retries),
    backoff: int(method.backoff),
    dataAggregator: idOf(method.dataAggregator),
    required: method.required === true,
    repeatable: method.repeatable === true,
    successStatus: text(method.successStatus),
    enabled: method.enabled !== false,
    fileName: text(method.fileName),
  };
}

function presentRequest(request: JsonObject | null): RequestView | null {
  if (!request) return null;
  const body = objectOrNull(request.body);
  return {
    endpoint: text(request.endpoint),
    method: text(request.method),
    httpMethod: httpMethodOf(request.method),
    header: request.header ?? null,
    body: body && {
      type: text(body.type),
      format: text(body.format),
      data: text(body.data),
      fields: body.fields ?? null,
    },
  };
}

function presentOperator(
  operator: OperatorDocument,
  parentStepId: string | null,
): Omit<OperatorStepView, 'side'> {
  const { id, index, type, expression, iterator, condition } = operator;
  return {
    kind: 'OperatorStep',
    stepId: id,
    parentStepId,
    index: index ?? null,
    type: operatorTypeOf(type),
    expression: text(expression) ?? '',
    iterator: iterator ?? null,
    enabled: operator.enabled !== false,
    condition: condition ?? null,
  };
}

export function presentBindings({ fieldBinding }: WorkflowDocument): FieldBindingView[] {
  return fieldBinding.map((binding) => {
    const enhancement = objectOrNull(binding.enhancement);
    return {
      bindingId: partIdOf(binding),
      from: objectsIn(binding.from).map(presentEnd),
      to: objectsIn(binding.to).map(presentEnd),
      enhancement: enhancement && {
        name: text(enhancement.name),
        description: text(enhancement.description),
        language: text(enhancement.language),
        expertVar: text(enhancement.expertVar),
        expertCode: text(enhancement.expertCode),
      },
    };
  });
}

const presentEnd = (end: JsonObject): BindingEndView => ({
  color: text(end.color),
  type: text(end.type),
  field: text(end.field),
});
