import { randomBytes } from 'node:crypto';
import { NotFound, Refused } from '../../../platform/errors/errors';
import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { idOfPart } from '../patches/patch-target';
import { changedPart } from '../workflow-content';
import type { StepDocument, WorkflowDocument } from '../workflow.document';
import { recolor } from './colors';
import { bindingUnder, iteratorsOf, settleIterators, withRename } from './iterators';
import type { RenamesByColor } from './iterators';
import { foundPlace, standing } from './step-places';
import type { StepPlace } from './step-places';
import { allSteps, treeOf, withTree } from './step-tree';
import type { StepTree, TreeStep } from './step-tree';

/** A step to add, or the fields of a step to change; undefined fields keep their value. */
export interface StepFields {
  readonly kind: TreeStep['kind'];
  readonly fields: object;
}

const newId = (): string => randomBytes(12).toString('hex');

/**
 * Adds a step.
 * @throws NotFound STEP_NOT_FOUND the parent does not exist
 * @throws Refused  STEP_PLACE_INVALID, COLOR_TAKEN
 */
export function* withStep(
  document: WorkflowDocument,
  { kind, fields }: StepFields,
  place: StepPlace,
  turn: Turn,
): Steps<{ document: WorkflowDocument; stepId: string }> {
  const tree = treeOf(document);
  const { siblings, around, position } = foundPlace(tree, place);
  const node: TreeStep = {
    kind,
    saved: null,
    step: { id: newId(), ...changedPart({}, fields) },
    children: [],
  };
  refuseTakenColor(tree, node);
  siblings.splice(position, 0, node);
  const names = iteratorsOf(around);
  yield* settleIterators([node], names, names, turn);
  return { document: withTree(document, tree), stepId: node.step.id };
}

/**
 * Moves a step with everything in it.
 * @throws NotFound STEP_NOT_FOUND
 * @throws Refused  STEP_PLACE_INVALID the position does not exist, or is inside the step
 */
export function* withStepMoved(
  document: WorkflowDocument,
  stepId: string,
  place: StepPlace,
  turn: Turn,
): Steps<WorkflowDocument> {
  const tree = treeOf(document);
  const { node, siblings, around } = standing(tree, stepId);
  const target = foundPlace(tree, place, node);
  siblings.splice(siblings.indexOf(node), 1);
  target.siblings.splice(target.position, 0, node);
  const byColor = yield* settleIterators(
    [node],
    iteratorsOf(around),
    iteratorsOf(target.around),
    turn,
  );
  return withBindings(withTree(document, tree), byColor);
}

/**
 * Removes a step with everything in it. References to it stay and are then dangling.
 * @throws NotFound STEP_NOT_FOUND
 */
export function withoutStep(document: WorkflowDocument, stepId: string): WorkflowDocument {
  const tree = treeOf(document);
  const { node, siblings } = standing(tree, stepId);
  siblings.splice(siblings.indexOf(node), 1);
  return withTree(document, tree);
}

/**
 * Changes fields of a step. References are rewritten if its colour or loop variable changes.
 * @throws NotFound STEP_NOT_FOUND
 * @throws Refused  STEP_KIND_DIFFERS, COLOR_TAKEN, ITERATOR_TAKEN
 */
export function* withStepChanged(
  document: WorkflowDocument,
  stepId: string,
  { kind, fields }: StepFields,
  turn: Turn,
): Steps<WorkflowDocument> {
  const tree = treeOf(document);
  const { node, around } = standing(tree, stepId);
  if (node.kind !== kind)
    throw new Refused(
      'STEP_KIND_DIFFERS',
      `This step is ${node.kind === 'method' ? 'a method' : 'an operator'}.`,
      { path: [kind] },
    );
  const before = node.step;
  node.step = changedPart(before, fields) as StepDocument;
  refuseTakenColor(tree, node);
  const byColor = yield* renamedInside(node, before, around, turn);
  const bindings = yield* recolored(tree, document.fieldBinding, before, node.step, turn);
  return withBindings({ ...document, ...stepsIn(document, tree), fieldBinding: bindings }, byColor);
}

/** Replaces the changed steps. No step moves, so indexes stay as they are. */
function stepsIn(
  document: WorkflowDocument,
  { roots, unplaced }: StepTree,
): Pick<WorkflowDocument, 'fromConnector'> {
  const now = new Map([...allSteps(roots), ...unplaced].map((node) => [node.saved, node.step]));
  const list = <S extends StepDocument>(steps: readonly S[]): S[] =>
    steps.map((step) => (now.get(step) ?? step) as S);
  const { fromConnector } = document;
  return {
    fromConnector: {
      ...fromConnector,
      methods: list(fromConnector.methods),
      operators: list(fromConnector.operators),
    },
  };
}

/**
 * Rewrites the steps inside an operator: references follow a renamed loop variable. If the operator
 * becomes a loop, or is no longer one, the loops inside keep their variables.
 */
function* renamedInside(
  node: TreeStep,
  before: StepDocument,
  around: readonly TreeStep[],
  turn: Turn,
): Steps<RenamesByColor> {
  const outside = iteratorsOf(around);
  const [old, now] = [before, node.step].map((step) => iteratorsOf([...around, { ...node, step }]));
  const [wasLoop, isLoop] = [old.length > outside.length, now.length > outside.length];
  const [oldName, name] = [old.at(-1) ?? '', now.at(-1) ?? ''];
  if (wasLoop === isLoop && (!isLoop || oldName === name)) return new Map();
  if (isLoop && outside.includes(name))
    throw new Refused('ITERATOR_TAKEN', `A loop around this one has the loop variable "${name}".`, {
      path: ['operator', 'iterator'],
    });
  return yield* settleIterators(
    node.children,
    old,
    now,
    turn,
    wasLoop && isLoop ? withRename(new Map(), oldName, name, node.step) : new Map(),
  );
}

function* recolored(
  tree: StepTree,
  bindings: readonly JsonObject[],
  before: StepDocument,
  after: StepDocument,
  turn: Turn,
): Steps<readonly JsonObject[]> {
  const [from, to] = [before.color, after.color];
  if (!isColor(from) || !isColor(to) || from.toUpperCase() === to.toUpperCase()) return bindings;
  return yield* recolor([...allSteps(tree.roots), ...tree.unplaced], bindings, from, to, turn);
}

const isColor = (value: unknown): value is string =>
  typeof value === 'string' && /^#[0-9A-Fa-f]{6}$/.test(value);

/**
 * References name methods by colour, so a new or changed colour must be unique. Duplicates that are
 * already stored are kept.
 */
function refuseTakenColor({ roots, unplaced }: StepTree, node: TreeStep): void {
  const { color } = node.step;
  if (node.kind !== 'method' || !isColor(color) || color === node.saved?.color) return;
  const taken = [...allSteps(roots), ...unplaced].some(
    (other) =>
      other !== node &&
      other.kind === 'method' &&
      isColor(other.step.color) &&
      other.step.color.toUpperCase() === color.toUpperCase(),
  );
  if (taken)
    throw new Refused('COLOR_TAKEN', `Another method has the colour ${color}.`, {
      path: ['method', 'color'],
    });
}

const withBindings = (document: WorkflowDocument, byColor: RenamesByColor): WorkflowDocument => ({
  ...document,
  fieldBinding: document.fieldBinding.map((binding) => bindingUnder(binding, byColor)),
});

/**
 * Changes the field binding with this id, or appends a new one if there is no id.
 * @throws NotFound ENHANCEMENT_NOT_FOUND
 */
export function withBinding(
  document: WorkflowDocument,
  { id, ...fields }: { readonly id?: string | null },
): { document: WorkflowDocument; bindingId: string } {
  if (id == null) {
    const binding = { id: newId(), ...changedPart({}, fields) };
    return {
      document: { ...document, fieldBinding: [...document.fieldBinding, binding] },
      bindingId: binding.id,
    };
  }
  const position = bindingAt(document, id, ['binding', 'bindingId']);
  const changed = changedPart(document.fieldBinding[position], fields);
  return {
    document: { ...document, fieldBinding: document.fieldBinding.with(position, changed) },
    bindingId: id,
  };
}

/** @throws NotFound ENHANCEMENT_NOT_FOUND */
export function withoutBinding(document: WorkflowDocument, id: string): WorkflowDocument {
  const position = bindingAt(document, id, ['bindingId']);
  return { ...document, fieldBinding: document.fieldBinding.toSpliced(position, 1) };
}

function bindingAt(
  { fieldBinding }: WorkflowDocument,
  id: string,
  path: readonly string[],
): number {
  const position = fieldBinding.findIndex((binding) => idOfPart(binding) === id);
  if (position < 0)
    throw new NotFound(
      'ENHANCEMENT_NOT_FOUND',
      `The workflow has no field binding ${JSON.stringify(id.slice(0, 100))}.`,
      { path },
    );
  return position;
}
