import { NotFound, Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import type { OperatorDocument, StepDocument, WorkflowDocument } from '../document/document-shape';

/** A node of the step tree. The node is mutable; its step is replaced, never changed in place. */
export interface TreeStep {
  readonly kind: 'method' | 'operator';
  /** The stored step; null for a new one. */
  readonly saved: StepDocument | null;
  step: StepDocument;
  readonly children: TreeStep[];
}

export interface StepTree {
  readonly roots: TreeStep[];
  /** Steps without an index, in unfinished workflows. */
  readonly unplaced: TreeStep[];
}

/** The parts of an index such as `1_0`; null if it is missing or invalid. */
type Index = readonly number[] | null;

/**
 * Sorts a list by execution order: index parts as numbers, a prefix before its extensions (`1`
 * before `1_0` before `10`). Invalid and missing indexes come last.
 */
export function sortByIndex<T>(list: readonly T[], indexOf: (item: T) => string | null): T[] {
  return list
    .map((item) => ({ item, index: parseIndex(indexOf(item)) }))
    .sort((a, b) => compareParts(a.index, b.index))
    .map(({ item }) => item);
}

const parseIndex = (index: string | null | undefined): Index =>
  typeof index === 'string' && /^\d{1,9}(?:_\d{1,9})*$/.test(index)
    ? index.split('_').map(Number)
    : null;

function compareParts(left: Index, right: Index): number {
  if (!left || !right) return Number(!left) - Number(!right);
  for (let at = 0; at < left.length && at < right.length; at += 1)
    if (left[at] !== right[at]) return left[at] - right[at];
  return left.length - right.length;
}

/**
 * Builds the tree from indexes as runs do: the parent is the nearest operator above, even if there
 * are no steps at the indexes in between.
 */
export function buildTree({ fromConnector }: WorkflowDocument): StepTree {
  const nodes = [
    ...fromConnector.methods.map((step) => createNode('method', step)),
    ...fromConnector.operators.map((step) => createNode('operator', step)),
  ].map((node) => ({ node, index: parseIndex(node.step.index) }));
  const roots: TreeStep[] = [];
  const open: { readonly node: TreeStep; readonly index: readonly number[] }[] = [];
  for (const { node, index } of nodes.toSorted((a, b) => compareParts(a.index, b.index))) {
    if (!index) break;
    for (let last = open.at(-1); last && !isInside(index, last.index); last = open.at(-1))
      open.pop();
    (open.at(-1)?.node.children ?? roots).push(node);
    if (node.kind === 'operator') open.push({ node, index });
  }
  return { roots, unplaced: nodes.flatMap(({ node, index }) => (index ? [] : [node])) };
}

const createNode = (kind: TreeStep['kind'], step: StepDocument): TreeStep => ({
  kind,
  saved: step,
  step,
  children: [],
});

const isInside = (inner: readonly number[], outer: readonly number[]): boolean =>
  inner.length > outer.length && outer.every((part, at) => inner[at] === part);

/** Returns these steps and all below them, in execution order. */
export function listSteps(nodes: readonly TreeStep[]): TreeStep[] {
  const steps: TreeStep[] = [];
  const pending = nodes.toReversed();
  for (let node = pending.pop(); node; node = pending.pop()) {
    steps.push(node);
    for (let last = node.children.length - 1; last >= 0; last -= 1)
      pending.push(node.children[last]);
  }
  return steps;
}

export const allSteps = ({ roots, unplaced }: StepTree): TreeStep[] => [
  ...listSteps(roots),
  ...unplaced,
];

/**
 * Returns the document with the steps of the tree. Indexes are renumbered from 0 among siblings;
 * the lists keep their order, and new steps are appended.
 */
export function withTree(document: WorkflowDocument, tree: StepTree): WorkflowDocument {
  const pending: { readonly siblings: readonly TreeStep[]; readonly prefix: string }[] = [
    { siblings: tree.roots, prefix: '' },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const [position, node] of next.siblings.entries()) {
      const index = `${next.prefix}${position}`;
      if (node.step.index !== index) node.step = { ...node.step, index };
      if (node.children.length > 0) pending.push({ siblings: node.children, prefix: `${index}_` });
    }
  }
  return withSteps(document, tree);
}

/** Like `withTree`, but keeps the indexes. */
export function withSteps(document: WorkflowDocument, tree: StepTree): WorkflowDocument {
  const nodes = allSteps(tree);
  const list = (kind: TreeStep['kind'], saved: readonly StepDocument[]): StepDocument[] => {
    const ofKind = nodes.filter((node) => node.kind === kind);
    const now = new Map(ofKind.map((node) => [node.saved, node.step]));
    return [
      ...saved.flatMap((step) => now.get(step) ?? []),
      ...ofKind.flatMap((node) => (node.saved === null ? [node.step] : [])),
    ];
  };
  const { fromConnector } = document;
  return {
    ...document,
    fromConnector: {
      ...fromConnector,
      methods: list('method', fromConnector.methods),
      operators: list('operator', fromConnector.operators) as OperatorDocument[],
    },
  };
}

/**
 * The target of a step: the operator it is in (null: none), and its position there (null: last).
 */
export interface StepPlace {
  readonly parentStepId?: string | null;
  readonly position?: number | null;
}

/** A step in the tree, with the list that contains it. */
interface LocatedStep {
  readonly node: TreeStep;
  readonly siblings: TreeStep[];
  /** The enclosing operators, the outermost first. */
  readonly around: readonly TreeStep[];
}

/** @throws NotFound STEP_NOT_FOUND */
export function locateStep(
  tree: StepTree,
  stepId: string,
  path: InputPath = ['stepId'],
): LocatedStep {
  const pending: Omit<LocatedStep, 'node'>[] = [
    { siblings: tree.roots, around: [] },
    { siblings: tree.unplaced, around: [] },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { siblings, around } = next;
    const node = siblings.find(({ step }) => step.id === stepId);
    if (node) return { node, siblings, around };
    for (const parent of siblings)
      if (parent.children.length > 0)
        pending.push({ siblings: parent.children, around: [...around, parent] });
  }
  throw stepNotFound(stepId, path);
}

export const stepNotFound = (stepId: string, path: InputPath): NotFound =>
  new NotFound(
    'STEP_NOT_FOUND',
    `The workflow has no step ${JSON.stringify(stepId.slice(0, 100))}.`,
    { path },
  );

/**
 * Finds the target of a step.
 * @param moved the step if it is moved: it is not counted among its siblings
 * @throws NotFound STEP_NOT_FOUND the parent does not exist
 * @throws Refused  STEP_PLACE_INVALID the parent is a method, the step itself or inside it; or the
 * position is too large
 */
export function locatePlace(
  tree: StepTree,
  { parentStepId = null, position = null }: StepPlace,
  moved?: TreeStep,
): Omit<LocatedStep, 'node'> & { readonly position: number } {
  const parent = parentStepId === null ? null : locateStep(tree, parentStepId, ['parentStepId']);
  if (parent?.node.kind === 'method')
    throw placeInvalid('A method cannot contain steps. Choose an operator.', 'parentStepId');
  if (parent && tree.unplaced.includes(parent.node))
    throw placeInvalid('This operator has no index yet. Move it first.', 'parentStepId');
  if (parent && moved && listSteps([moved]).includes(parent.node))
    throw placeInvalid('A step cannot be moved into itself.', 'parentStepId');
  const siblings = parent?.node.children ?? tree.roots;
  const others = siblings.length - (moved && siblings.includes(moved) ? 1 : 0);
  const target = position ?? others;
  if (target < 0 || target > others)
    throw placeInvalid(`Positions are 0 to ${others}.`, 'position');
  return { siblings, around: parent ? [...parent.around, parent.node] : [], position: target };
}

const placeInvalid = (message: string, field: 'parentStepId' | 'position'): Refused =>
  new Refused('STEP_PLACE_INVALID', message, { path: [field] });
