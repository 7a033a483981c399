import type {
  MethodDocument,
  OperatorDocument,
  StepDocument,
  WorkflowDocument,
} from '../workflow.document';

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

interface Entry {
  readonly node: TreeStep;
  readonly path: readonly number[];
}

/**
 * Builds the tree from indexes as runs do: the parent is the nearest operator above, even if there
 * are no steps at the indexes in between.
 */
export function treeOf({ fromConnector }: WorkflowDocument): StepTree {
  const nodes = [
    ...fromConnector.methods.map((step) => nodeOf('method', step)),
    ...fromConnector.operators.map((step) => nodeOf('operator', step)),
  ];
  const entries = nodes
    .flatMap((node): Entry[] => {
      const path = pathOf(node.step.index);
      return path ? [{ node, path }] : [];
    })
    .sort((a, b) => compare(a.path, b.path));
  const placed = new Set(entries.map(({ node }) => node));
  const roots: TreeStep[] = [];
  const open: Entry[] = [];
  for (const entry of entries) {
    for (let last = open.at(-1); last && !isInside(entry.path, last.path); last = open.at(-1))
      open.pop();
    (open.at(-1)?.node.children ?? roots).push(entry.node);
    if (entry.node.kind === 'operator') open.push(entry);
  }
  return { roots, unplaced: nodes.filter((node) => !placed.has(node)) };
}

const nodeOf = (kind: TreeStep['kind'], step: StepDocument): TreeStep => ({
  kind,
  saved: step,
  step,
  children: [],
});

const pathOf = (index: string | null | undefined): number[] | null =>
  typeof index === 'string' && /^\d{1,9}(?:_\d{1,9})*$/.test(index)
    ? index.split('_').map(Number)
    : null;

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length && at < b.length; at += 1)
    if (a[at] !== b[at]) return a[at] - b[at];
  return a.length - b.length;
}

const isInside = (inner: readonly number[], outer: readonly number[]): boolean =>
  inner.length > outer.length && outer.every((part, at) => inner[at] === part);

/** These steps and all below them, in walking order. */
export function allSteps(nodes: readonly TreeStep[]): TreeStep[] {
  const found: TreeStep[] = [];
  const ahead = nodes.toReversed();
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    found.push(node);
    for (let last = node.children.length - 1; last >= 0; last -= 1) ahead.push(node.children[last]);
  }
  return found;
}

/**
 * Returns the document with the steps of the tree. Indexes are renumbered from 0 among siblings;
 * the lists keep their order, and new steps are appended.
 */
export function withTree(
  document: WorkflowDocument,
  { roots, unplaced }: StepTree,
): WorkflowDocument {
  const ahead: { readonly siblings: readonly TreeStep[]; readonly prefix: string }[] = [
    { siblings: roots, prefix: '' },
  ];
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    for (const [position, node] of next.siblings.entries()) {
      const index = `${next.prefix}${position}`;
      if (node.step.index !== index) node.step = { ...node.step, index };
      if (node.children.length > 0) ahead.push({ siblings: node.children, prefix: `${index}_` });
    }
  }
  const nodes = [...allSteps(roots), ...unplaced];
  const list = (kind: TreeStep['kind'], saved: readonly StepDocument[]): StepDocument[] => {
    const now = new Map(
      nodes.filter((node) => node.kind === kind).map((node) => [node.saved ?? node, node.step]),
    );
    const stay = saved.flatMap((step) => now.get(step) ?? []);
    return [
      ...stay,
      ...nodes.filter((node) => node.kind === kind && node.saved === null).map(({ step }) => step),
    ];
  };
  const { fromConnector } = document;
  const [methods, operators] = [
    list('method', fromConnector.methods) as MethodDocument[],
    list('operator', fromConnector.operators) as OperatorDocument[],
  ];
  return { ...document, fromConnector: { ...fromConnector, methods, operators } };
}
