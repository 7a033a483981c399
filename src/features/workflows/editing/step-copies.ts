import { BadInput } from '../../../platform/errors/errors';
import type { JsonObject } from '../document/json';
import { isJsonObject } from '../document/json';
import type { WorkflowDocument } from '../document/workflow-document';
import { createId } from './step-edits';
import {
  addColors,
  isColor,
  iteratorsOf,
  recolorReferences,
  renameInBinding,
  updateIterators,
} from './step-references';
import { allSteps, buildTree, listSteps, locatePlace, locateStep, withTree } from './step-tree';
import type { StepPlace, TreeStep } from './step-tree';

/** A step with everything in it and the field bindings that write to it, as in documents. */
export interface StepCopy extends JsonObject {
  readonly methods: readonly JsonObject[];
  readonly operators: readonly JsonObject[];
  readonly fieldBinding: readonly JsonObject[];
}

const MAX_COPIED_STEPS = 1_000;

const colorsOf = (nodes: readonly TreeStep[]): Set<string> =>
  new Set(
    nodes.flatMap(({ kind, step: { color } }) =>
      kind === 'method' && isColor(color) ? [color.toUpperCase()] : [],
    ),
  );

const writesTo =
  (colors: ReadonlySet<string>) =>
  ({ to }: JsonObject): boolean =>
    Array.isArray(to) &&
    to.some(
      (end) =>
        isJsonObject(end) && typeof end.color === 'string' && colors.has(end.color.toUpperCase()),
    );

/**
 * Copies a step. Its indexes begin at `0`, and its loops name the variables that they had by their
 * depth.
 * @throws NotFound STEP_NOT_FOUND
 */
export function copyStep(document: WorkflowDocument, stepId: string): StepCopy {
  const { node, around } = locateStep(buildTree(document), stepId);
  updateIterators([node], iteratorsOf(around), []);
  const only = withTree(
    { ...document, fromConnector: { ...document.fromConnector, methods: [], operators: [] } },
    { roots: [unsaved(node)], unplaced: [] },
  );
  const { methods, operators } = only.fromConnector;
  return {
    methods,
    operators,
    fieldBinding: document.fieldBinding.filter(writesTo(colorsOf(listSteps([node])))),
  };
}

/** The node as a new one, so that its steps are appended to a document. */
const unsaved = (node: TreeStep): TreeStep => ({
  ...node,
  saved: null,
  children: node.children.map(unsaved),
});

/**
 * Adds copied steps with new ids. Colours and loop variables that are taken are replaced, and the
 * references among the copied steps follow.
 * @param content a StepCopy, not checked yet
 * @throws BadInput STEPS_INVALID
 * @throws NotFound STEP_NOT_FOUND the parent does not exist
 * @throws Refused  STEP_PLACE_INVALID
 */
export function pasteSteps(
  document: WorkflowDocument,
  content: unknown,
  place: StepPlace,
): { document: WorkflowDocument; stepId: string } {
  const copy = parseCopy(content);
  const tree = buildTree(document);
  const { siblings, around, position } = locatePlace(tree, place);
  const copied = buildTree({
    ...document,
    fromConnector: copy as unknown as WorkflowDocument['fromConnector'],
  });
  const pasted = [...copied.roots, ...copied.unplaced].map(unsaved);
  const nodes = listSteps(pasted);
  const [first] = nodes;
  if (first === undefined) throw stepsInvalid('It contains no step.');
  for (const node of nodes) node.step = { ...node.step, id: createId() };
  const byColor = updateIterators(pasted, [], iteratorsOf(around));
  const bindings = copy.fieldBinding
    .filter(writesTo(colorsOf(nodes)))
    .map(({ id: _id, ...binding }) => renameInBinding({ id: createId(), ...binding }, byColor));
  const colors = colorsOf(allSteps(tree));
  siblings.splice(position, 0, ...pasted);
  const fieldBinding = recolor(nodes, bindings, colors, () => addColors(allSteps(tree)));
  return {
    document: withTree(
      { ...document, fieldBinding: [...document.fieldBinding, ...fieldBinding] },
      tree,
    ),
    stepId: first.step.id,
  };
}

/** Replaces taken colours of new methods, and returns the bindings with the new ones. */
function recolor(
  nodes: readonly TreeStep[],
  bindings: JsonObject[],
  usedColors: ReadonlySet<string>,
  giveColors: () => void,
): JsonObject[] {
  const recolored: [TreeStep, string][] = [];
  for (const node of nodes) {
    const { color, ...step } = node.step;
    if (node.kind !== 'method' || !isColor(color) || !usedColors.has(color.toUpperCase())) continue;
    node.step = step;
    recolored.push([node, color]);
  }
  giveColors();
  return recolored.reduce(
    (changed, [node, color]) => recolorReferences(nodes, changed, color, String(node.step.color)),
    bindings,
  );
}

function parseCopy(content: unknown): StepCopy {
  const listOf = (name: string): JsonObject[] => {
    const list = isJsonObject(content) ? (content[name] ?? []) : null;
    if (!Array.isArray(list) || !list.every(isJsonObject))
      throw stepsInvalid(`\`${name}\` is not a list of objects.`);
    return list;
  };
  const copy = {
    methods: listOf('methods'),
    operators: listOf('operators'),
    fieldBinding: listOf('fieldBinding'),
  };
  if (copy.methods.length + copy.operators.length > MAX_COPIED_STEPS)
    throw stepsInvalid(`It contains more than ${MAX_COPIED_STEPS} steps.`);
  return copy;
}

const stepsInvalid = (reason: string): BadInput =>
  new BadInput('BAD_REQUEST', `These are not copied steps. ${reason}`, {
    path: ['content'],
    reason: 'STEPS_INVALID',
  });
