import { randomBytes } from 'node:crypto';
import { BadInput, NotFound, Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { requireOneHttpMethod } from '../document/http-method';
import type { JsonObject } from '../document/json';
import { isJsonObject } from '../document/json';
import { changedPart } from '../document/workflow-content';
import type { StepDocument, WorkflowDocument } from '../document/workflow-document';
import { partIdOf } from '../document/part-ids';
import {
  addColors,
  isColor,
  iteratorsOf,
  recolorReferences,
  renameInBinding,
  updateIterators,
  withRename,
} from './step-references';
import type { RenamesByColor } from './step-references';
import { allSteps, buildTree, locatePlace, locateStep, withSteps, withTree } from './step-tree';
import type { StepPlace, StepTree, TreeStep } from './step-tree';

export type StepKind = TreeStep['kind'];

/** A step to add, or the fields of a step to change; undefined fields keep their value. */
export interface StepFields {
  readonly kind: StepKind;
  readonly fields: object;
}

/**
 * @param place path of the input, for errors
 * @throws BadInput ONE_OF_REQUIRED
 */
export function stepFieldsOf(
  { method, operator }: { readonly method?: object | null; readonly operator?: object | null },
  place: InputPath = [],
): StepFields {
  if (method && !operator) {
    requireOneHttpMethod(method, [...place, 'method']);
    return { kind: 'method', fields: method };
  }
  if (operator && !method) return { kind: 'operator', fields: operator };
  throw new BadInput('BAD_REQUEST', 'Give either a method or an operator.', {
    path: [...place, method ? 'operator' : 'method'],
    reason: 'ONE_OF_REQUIRED',
  });
}

export const createId = (): string => randomBytes(12).toString('hex');

/**
 * Adds a step.
 * @throws NotFound STEP_NOT_FOUND the parent does not exist
 * @throws Refused  STEP_PLACE_INVALID, COLOR_TAKEN
 */
export function addStep(
  document: WorkflowDocument,
  { kind, fields }: StepFields,
  place: StepPlace,
): { document: WorkflowDocument; stepId: string } {
  const tree = buildTree(document);
  const { siblings, around, position } = locatePlace(tree, place);
  const node: TreeStep = {
    kind,
    saved: null,
    step: { id: createId(), ...changedPart({}, fields) },
    children: [],
  };
  requireUniqueColor(tree, node);
  siblings.splice(position, 0, node);
  addColors(allSteps(tree));
  const iterators = iteratorsOf(around);
  updateIterators([node], iterators, iterators);
  return { document: withTree(document, tree), stepId: node.step.id };
}

/**
 * Moves a step with everything in it.
 * @throws NotFound STEP_NOT_FOUND
 * @throws Refused  STEP_PLACE_INVALID the position does not exist, or is inside the step
 */
export function moveStep(
  document: WorkflowDocument,
  stepId: string,
  place: StepPlace,
): WorkflowDocument {
  const tree = buildTree(document);
  const { node, siblings, around } = locateStep(tree, stepId);
  const target = locatePlace(tree, place, node);
  siblings.splice(siblings.indexOf(node), 1);
  target.siblings.splice(target.position, 0, node);
  const byColor = updateIterators([node], iteratorsOf(around), iteratorsOf(target.around));
  return renameInBindings(withTree(document, tree), byColor);
}

/**
 * Removes a step with everything in it. References to it stay and are then dangling.
 * @throws NotFound STEP_NOT_FOUND
 */
export function removeStep(document: WorkflowDocument, stepId: string): WorkflowDocument {
  const tree = buildTree(document);
  const { node, siblings } = locateStep(tree, stepId);
  siblings.splice(siblings.indexOf(node), 1);
  return withTree(document, tree);
}

/**
 * Changes fields of a step. References are rewritten if its colour or loop variable changes.
 * @throws NotFound STEP_NOT_FOUND
 * @throws Refused  STEP_KIND_DIFFERS, COLOR_TAKEN, ITERATOR_TAKEN
 */
export function updateStep(
  document: WorkflowDocument,
  stepId: string,
  { kind, fields }: StepFields,
): WorkflowDocument {
  const tree = buildTree(document);
  const { node, around } = locateStep(tree, stepId);
  if (node.kind !== kind)
    throw new Refused(
      'STEP_KIND_DIFFERS',
      `This step is ${node.kind === 'method' ? 'a method' : 'an operator'}.`,
      { path: [kind] },
    );
  const before = node.step;
  node.step = changedPart(before, fields) as StepDocument;
  requireUniqueColor(tree, node);
  const byColor = updateInside(node, before, around);
  const [from, to] = [before.color, node.step.color];
  const fieldBinding =
    isColor(from) && isColor(to) && from.toUpperCase() !== to.toUpperCase()
      ? recolorReferences(allSteps(tree), document.fieldBinding, from, to)
      : document.fieldBinding;
  return renameInBindings({ ...withSteps(document, tree), fieldBinding }, byColor);
}

/**
 * Rewrites the steps inside an operator: references follow a renamed loop variable. If the operator
 * becomes a loop, or is no longer one, the loops inside keep their variables.
 */
function updateInside(
  node: TreeStep,
  before: StepDocument,
  around: readonly TreeStep[],
): RenamesByColor {
  const outside = iteratorsOf(around);
  const [old, now] = [before, node.step].map((step) => iteratorsOf([...around, { ...node, step }]));
  const [wasLoop, isLoop] = [old.length > outside.length, now.length > outside.length];
  const [oldName, name] = [old.at(-1) ?? '', now.at(-1) ?? ''];
  if (wasLoop === isLoop && (!isLoop || oldName === name)) return new Map();
  if (isLoop && outside.includes(name))
    throw new Refused(
      'ITERATOR_TAKEN',
      `A loop around this step already uses the loop variable "${name}".`,
      { path: ['operator', 'iterator'] },
    );
  return updateIterators(
    node.children,
    old,
    now,
    wasLoop && isLoop ? withRename(new Map(), oldName, name, node.step) : new Map(),
  );
}

/**
 * References name methods by colour, so a new or changed colour must be unique. Duplicates that are
 * already stored are kept.
 * @throws Refused COLOR_TAKEN
 */
function requireUniqueColor(tree: StepTree, node: TreeStep): void {
  const { color } = node.step;
  if (node.kind !== 'method' || !isColor(color) || color === node.saved?.color) return;
  const isTaken = allSteps(tree).some(
    (other) =>
      other !== node &&
      other.kind === 'method' &&
      isColor(other.step.color) &&
      other.step.color.toUpperCase() === color.toUpperCase(),
  );
  if (isTaken)
    throw new Refused('COLOR_TAKEN', `Another method has the colour ${color}.`, {
      path: ['method', 'color'],
    });
}

const renameInBindings = (
  document: WorkflowDocument,
  byColor: RenamesByColor,
): WorkflowDocument => ({
  ...document,
  fieldBinding: document.fieldBinding.map((binding) => renameInBinding(binding, byColor)),
});

/**
 * Changes the field binding with this id, or appends a new one if there is no id.
 * @throws NotFound ENHANCEMENT_NOT_FOUND
 */
export function setBinding(
  document: WorkflowDocument,
  { id, ...fields }: { readonly id?: string | null },
): { document: WorkflowDocument; bindingId: string } {
  if (id == null) {
    const binding = { id: createId(), ...changedPart({}, fields) };
    return {
      document: { ...document, fieldBinding: [...document.fieldBinding, binding] },
      bindingId: binding.id,
    };
  }
  const position = bindingPosition(document, id, ['binding', 'bindingId']);
  const changed = changedPart(document.fieldBinding[position], fields);
  return {
    document: { ...document, fieldBinding: document.fieldBinding.with(position, changed) },
    bindingId: id,
  };
}

/** @throws NotFound ENHANCEMENT_NOT_FOUND */
export function removeBinding(document: WorkflowDocument, id: string): WorkflowDocument {
  const position = bindingPosition(document, id, ['bindingId']);
  return { ...document, fieldBinding: document.fieldBinding.toSpliced(position, 1) };
}

function bindingPosition(
  { fieldBinding }: WorkflowDocument,
  id: string,
  path: readonly string[],
): number {
  const position = fieldBinding.findIndex((binding) => partIdOf(binding) === id);
  if (position < 0)
    throw new NotFound(
      'ENHANCEMENT_NOT_FOUND',
      `The workflow has no field binding ${JSON.stringify(id.slice(0, 100))}.`,
      { path },
    );
  return position;
}

/** A step or field binding that refers to a deleted method. */
export interface DanglingReference {
  readonly stepId: string | null;
  readonly bindingId: string | null;
  readonly index: string | null;
  readonly color: string;
}

/** Finds references to methods that are in `before` and not in `after`. */
export function findDangling(
  before: WorkflowDocument,
  after: WorkflowDocument,
): DanglingReference[] {
  const removed = new Set(methodColors(before));
  for (const color of methodColors(after)) removed.delete(color);
  const references: DanglingReference[] = [];
  if (removed.size === 0) return references;
  const { methods, operators } = after.fromConnector;
  for (const { id, index = null, request } of methods)
    for (const color of findColors(request, removed))
      references.push({ stepId: id, bindingId: null, index, color });
  for (const { id, index = null, expression, condition } of operators)
    for (const color of findColors([expression, condition], removed))
      references.push({ stepId: id, bindingId: null, index, color });
  for (const binding of after.fieldBinding)
    for (const color of findColors(binding, removed))
      references.push({ stepId: null, bindingId: partIdOf(binding), index: null, color });
  return references;
}

const methodColors = ({ fromConnector }: WorkflowDocument): string[] =>
  fromConnector.methods.flatMap(({ color }) =>
    typeof color === 'string' ? [color.toUpperCase()] : [],
  );

/** Returns which of these colours a value contains: in its texts, or as the `color` of a field. */
function findColors(value: unknown, colors: ReadonlySet<string>): Set<string> {
  const matches = new Set<string>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    const named =
      typeof next === 'string'
        ? [...next.matchAll(/#[0-9A-Fa-f]{6}(?=\.\()/g)].map(([color]) => color)
        : isJsonObject(next) && typeof next.color === 'string'
          ? [next.color]
          : [];
    for (const color of named)
      if (colors.has(color.toUpperCase())) matches.add(color.toUpperCase());
    if (typeof next === 'object' && next !== null)
      for (const entry of Object.values(next as JsonObject)) pending.push(entry);
  }
  return matches;
}
