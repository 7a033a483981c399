import type {
  EditedBindingFragment,
  EditedStepFragment,
  EditedWorkflowFragment,
  FieldBindingInput,
  MethodContentInput,
  OperatorContentInput,
} from '../generated/operations';
import { sameValue } from '../parts/values';

type MethodFields = Extract<EditedStepFragment, { __typename: 'MethodStep' }>;
type OperatorFields = Extract<EditedStepFragment, { __typename: 'OperatorStep' }>;

export interface MethodStep extends Omit<MethodFields, '__typename' | 'stepId' | 'parentStepId'> {
  readonly kind: 'method';
  readonly id: string;
  readonly parentId: string | null;
}

export interface OperatorStep extends Omit<
  OperatorFields,
  '__typename' | 'stepId' | 'parentStepId' | 'operatorType'
> {
  readonly kind: 'operator';
  readonly id: string;
  readonly parentId: string | null;
  readonly type: OperatorFields['operatorType'];
}

export type Step = MethodStep | OperatorStep;
export type Binding = EditedBindingFragment;
export type SavedWorkflow = EditedWorkflowFragment;

/** What the editor shows: the saved workflow with the edits that are not saved yet. */
export interface EditedDocument {
  readonly title: string;
  readonly description: string;
  /** Steps of the same parent are in execution order. */
  readonly steps: readonly Step[];
  readonly bindings: readonly Binding[];
}

/** Fields of a step to change, as the service takes them; fields that are not named stay. */
export interface StepChanges {
  readonly method?: MethodContentInput;
  readonly operator?: OperatorContentInput;
}

/** Where a step stands: in an operator, or in none; at a position among the steps there. */
export interface Place {
  readonly parentId: string | null;
  readonly position: number;
}

export type Edit =
  | { readonly kind: 'update'; readonly stepId: string; readonly changes: StepChanges }
  | ({ readonly kind: 'add'; readonly stepId: string; readonly changes: StepChanges } & Place)
  | ({ readonly kind: 'paste'; readonly stepId: string; readonly content: unknown } & Place)
  | ({ readonly kind: 'move'; readonly stepId: string } & Place)
  | { readonly kind: 'remove'; readonly stepId: string }
  | { readonly kind: 'bind'; readonly binding: FieldBindingInput }
  | { readonly kind: 'unbind'; readonly bindingId: string }
  | { readonly kind: 'details'; readonly title?: string; readonly description?: string };

/** Begins the ids of steps and bindings that the service has not saved yet. */
const UNSAVED_PREFIX = 'unsaved-';
let unsavedCount = 0;
export const createUnsavedId = (): string =>
  `${UNSAVED_PREFIX}${Date.now().toString(36)}-${(unsavedCount += 1)}`;
export const isUnsavedId = (id: string): boolean => id.startsWith(UNSAVED_PREFIX);

/** @param before steps of an earlier state, by id: those that are equal are used again */
export function documentOf(
  workflow: SavedWorkflow,
  before: ReadonlyMap<string, Step> = new Map(),
): EditedDocument {
  return {
    title: workflow.title,
    description: workflow.description ?? '',
    steps: workflow.steps.map((fields) => {
      const step = stepOf(fields);
      const old = before.get(step.id);
      return old !== undefined && sameValue(old, step) ? old : step;
    }),
    bindings: workflow.fieldBindings,
  };
}

/** Returns a step as the editor has it. */
export function stepOf(fields: EditedStepFragment): Step {
  if (fields.__typename === 'MethodStep') {
    const { __typename, stepId: id, parentStepId: parentId, ...method } = fields;
    return { kind: 'method', id, parentId, ...method };
  }
  const { __typename, stepId: id, parentStepId: parentId, operatorType, ...operator } = fields;
  return { kind: 'operator', id, parentId, type: operatorType, ...operator };
}

const EMPTY_METHOD: Omit<MethodStep, 'id' | 'parentId'> = {
  kind: 'method',
  index: null,
  side: null,
  name: null,
  label: null,
  color: null,
  methodType: null,
  connector: null,
  request: null,
  timeout: null,
  retries: null,
  backoff: null,
  dataAggregator: null,
  required: false,
  repeatable: false,
  enabled: true,
  successStatus: null,
  fileName: null,
};

const EMPTY_REQUEST: NonNullable<MethodStep['request']> = {
  endpoint: null,
  method: null,
  httpMethod: null,
  header: null,
  body: null,
};

export const EMPTY_ENHANCEMENT: NonNullable<Binding['enhancement']> = {
  name: null,
  description: null,
  language: null,
  expertVar: null,
  expertCode: null,
};

const EMPTY_BODY = { type: null, format: null, data: null, fields: null };

function changedRequest(
  before: MethodStep['request'],
  changes: MethodContentInput['request'],
): MethodStep['request'] {
  if (changes === undefined) return before;
  if (changes === null) return null;
  const { body, ...fields } = changes;
  const merged = { ...EMPTY_REQUEST, ...before, ...fields };
  const method = fields.httpMethod ?? fields.method ?? merged.method;
  if (body === undefined) return { ...merged, method };
  return { ...merged, method, body: body && { ...EMPTY_BODY, ...before?.body, ...body } };
}

/** Applies changes to a step, as the service will. */
export function changedStep(step: Step, { method, operator }: StepChanges): Step {
  if (step.kind === 'operator') return { ...step, ...operator } as OperatorStep;
  const { request, ...fields } = method ?? {};
  return { ...step, ...fields, request: changedRequest(step.request, request) } as MethodStep;
}

/** Merges changes of the same step; later ones win. */
export function mergeChanges(before: StepChanges, after: StepChanges): StepChanges {
  if (after.operator !== undefined) return { operator: { ...before.operator, ...after.operator } };
  const [old, now] = [before.method, after.method];
  const request =
    old?.request && now?.request
      ? {
          ...old.request,
          ...now.request,
          ...(old.request.body && now.request.body
            ? { body: { ...old.request.body, ...now.request.body } }
            : {}),
        }
      : now?.request === undefined
        ? old?.request
        : now.request;
  return { method: { ...old, ...now, ...(request === undefined ? {} : { request }) } };
}

function insertAt(steps: readonly Step[], step: Step, { parentId, position }: Place): Step[] {
  const siblings = steps.filter((other) => other.parentId === parentId);
  const next = siblings[position];
  const at = next === undefined ? steps.length : steps.indexOf(next);
  return [...steps.slice(0, at), { ...step, parentId }, ...steps.slice(at)];
}

/** Returns a step and all steps in it. */
export function stepsInside(steps: readonly Step[], stepId: string): Step[] {
  return steps.flatMap((step) =>
    step.id === stepId ? [step] : step.parentId === stepId ? stepsInside(steps, step.id) : [],
  );
}

function changedSteps(steps: readonly Step[], edit: Edit): readonly Step[] {
  switch (edit.kind) {
    case 'update':
      return steps.map((step) =>
        step.id === edit.stepId ? changedStep(step, edit.changes) : step,
      );
    case 'add': {
      const empty: Step =
        edit.changes.operator === undefined
          ? { ...EMPTY_METHOD, id: edit.stepId, parentId: null }
          : {
              kind: 'operator',
              id: edit.stepId,
              parentId: null,
              index: null,
              side: null,
              enabled: true,
              type: null,
              expression: '',
              iterator: null,
            };
      return insertAt(steps, changedStep(empty, edit.changes), edit);
    }
    case 'move': {
      const moved = steps.find(({ id }) => id === edit.stepId);
      return moved === undefined
        ? steps
        : insertAt(
            steps.filter((step) => step !== moved),
            moved,
            edit,
          );
    }
    case 'remove': {
      const removed = new Set(stepsInside(steps, edit.stepId));
      return steps.filter((step) => !removed.has(step));
    }
    default:
      return steps;
  }
}

function changedBindings(bindings: readonly Binding[], edit: Edit): readonly Binding[] {
  if (edit.kind === 'unbind')
    return bindings.filter(({ bindingId }) => bindingId !== edit.bindingId);
  if (edit.kind !== 'bind') return bindings;
  const { from, to, enhancement } = edit.binding;
  const bindingId = edit.binding.bindingId == null ? null : String(edit.binding.bindingId);
  const before = bindings.find((binding) => binding.bindingId === bindingId);
  const ends = (list: typeof from, old: Binding['from'] = []): Binding['from'] =>
    list?.map(({ color = null, type = null, field = null }) => ({ color, type, field })) ?? old;
  const binding: Binding = {
    bindingId,
    from: ends(from, before?.from),
    to: ends(to, before?.to),
    enhancement: enhancement
      ? {
          ...EMPTY_ENHANCEMENT,
          ...before?.enhancement,
          ...(enhancement as object),
        }
      : (before?.enhancement ?? null),
  };
  return before === undefined
    ? [...bindings, binding]
    : bindings.map((other) => (other === before ? binding : other));
}

/** Returns the document with an edit that is not saved yet. */
export function applyEdit(document: EditedDocument, edit: Edit): EditedDocument {
  if (edit.kind === 'details') {
    const { title = document.title, description = document.description } = edit;
    return { ...document, title, description };
  }
  return {
    ...document,
    steps: changedSteps(document.steps, edit),
    bindings: changedBindings(document.bindings, edit),
  };
}

/** A step in the tree of the workflow. */
export interface FlowNode {
  readonly step: Step;
  /** Its number for people: `2.1` is the first step in the second one. */
  readonly number: string;
  readonly children: readonly FlowNode[];
  /** Its position among the steps of its parent. */
  readonly position: number;
}

/**
 * Builds the tree of steps.
 * @param before nodes of the last tree: those in which nothing changed are used again, so that
 * they are not rendered again
 */
export function buildFlow(
  steps: readonly Step[],
  before: ReadonlyMap<string, FlowNode>,
): FlowNode[] {
  const byParent = Map.groupBy(steps, ({ parentId }) => parentId);
  const nodesIn = (parentId: string | null, prefix: string): FlowNode[] =>
    (byParent.get(parentId) ?? []).map((step, position) => {
      const number = `${prefix}${position + 1}`;
      const children = nodesIn(step.id, `${number}.`);
      const old = before.get(step.id);
      const isSame =
        old?.step === step &&
        old.number === number &&
        old.children.length === children.length &&
        children.every((child, at) => child === old.children[at]);
      return isSame ? old : { step, number, children, position };
    });
  return nodesIn(null, '');
}

/** Returns these nodes and all below them, in execution order. */
export const flattenFlow = (nodes: readonly FlowNode[]): FlowNode[] =>
  nodes.flatMap((node) => [node, ...flattenFlow(node.children)]);
