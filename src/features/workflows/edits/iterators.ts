import {
  implicitIterator,
  operatorTypeOf,
  renamedInExpression,
  renamedInPath,
  renamedInText,
  renamedInVariables,
} from '../../../engine';
import type { Renames } from '../../../engine';
import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import type { StepDocument } from '../workflow.document';
import { rewrittenBinding, rewrittenStep } from './step-texts';
import type { Rewriting } from './step-texts';
import type { TreeStep } from './step-tree';

const isLoop = ({ kind, step }: TreeStep): boolean =>
  kind === 'operator' && operatorTypeOf(step.type as string | null | undefined) === 'loop';

const ownIterator = (step: StepDocument): string =>
  typeof step.iterator === 'string' ? step.iterator.trim() : '';

/** The loop variables of the loops among these operators, the outermost first. */
export function iteratorsOf(around: readonly TreeStep[]): string[] {
  return around
    .filter(isLoop)
    .reduce<string[]>(
      (names, { step }) => [...names, ownIterator(step) || implicitIterator(names.length)],
      [],
    );
}

interface Visit {
  readonly node: TreeStep;
  /** The loop variables of the enclosing loops, before and after the move. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly renames: Renames;
}

/**
 * The renames that apply at each method, by its colour in upper case: bindings to that method need
 * them.
 */
export type RenamesByColor = Map<string, Renames>;

const NONE: Renames = new Map();

/**
 * Updates the loop variables of moved steps. A loop keeps its variable; it is written into
 * `iterator` if the new depth does not imply it. If an enclosing loop uses the same variable, the
 * loop gets another one and the references inside are rewritten.
 */
export function* settleIterators(
  nodes: readonly TreeStep[],
  before: readonly string[],
  now: readonly string[],
  turn: Turn,
  first: Renames = NONE,
): Steps<RenamesByColor> {
  const byColor: RenamesByColor = new Map();
  const ahead: Visit[] = nodes.map((node) => ({ node, before, now, renames: first }));
  for (let visit = ahead.pop(); visit; visit = ahead.pop()) {
    if (turn.over) yield;
    const { node, renames } = visit;
    if (renames.size > 0) node.step = yield* rewrittenStep(node, rewriting(renames), turn);
    if (node.kind === 'method' && typeof node.step.color === 'string')
      byColor.set(node.step.color.toUpperCase(), renames);
    const inside = isLoop(node) ? settledLoop(visit) : visit;
    for (const child of node.children) ahead.push({ ...inside, node: child });
  }
  return byColor;
}

/** Sets the loop variable of a loop, and returns what applies to the steps inside. */
function settledLoop({ node, before, now, renames }: Visit): Omit<Visit, 'node'> {
  const own = ownIterator(node.step);
  const old = own || implicitIterator(before.length);
  const name = now.includes(old) ? freeName(now) : old;
  if (name !== (own || implicitIterator(now.length))) node.step = { ...node.step, iterator: name };
  return {
    before: [...before, old],
    now: [...now, name],
    renames: withRename(renames, old, name, node.step),
  };
}

const freeName = (taken: readonly string[]): string => {
  for (let depth = taken.length; ; depth += 1)
    if (!taken.includes(implicitIterator(depth))) return implicitIterator(depth);
};

/** Adds the rename of this loop's variable to those of the enclosing loops. */
export function withRename(
  renames: Renames,
  old: string,
  name: string,
  { expression }: StepDocument,
): Renames {
  if (old === name && !renames.has(old)) return renames;
  const inside = new Map(renames);
  if (old === name) inside.delete(old);
  else
    inside.set(old, {
      to: name,
      isKey: typeof expression === 'string' && /^\s*forin\b/i.test(expression),
    });
  return inside;
}

/** Rewrites a binding with the renames that apply at the method it writes to. */
export function bindingUnder(binding: JsonObject, byColor: RenamesByColor): JsonObject {
  const [target] = Array.isArray(binding.to) ? (binding.to as unknown[]) : [];
  const renames =
    isJsonObject(target) && typeof target.color === 'string'
      ? byColor.get(target.color.toUpperCase())
      : undefined;
  return renames && renames.size > 0 ? rewrittenBinding(binding, rewriting(renames)) : binding;
}

const rewriting = (renames: Renames): Rewriting => ({
  text: (text) => renamedInText(text, renames),
  expression: (text) => renamedInExpression(text, renames),
  color: (color) => color,
  path: (path) => renamedInPath(path, renames),
  variables: (text) => renamedInVariables(text, renames),
});
