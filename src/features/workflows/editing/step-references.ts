import { randomBytes } from 'node:crypto';
import {
  implicitIterator,
  operatorTypeOf,
  renamedInExpression,
  renamedInPath,
  renamedInText,
  renamedInVariables,
} from '../../../engine';
import type { Renames } from '../../../engine';
import type { JsonObject } from '../document/json';
import { isJsonObject } from '../document/json';
import type { StepDocument } from '../document/workflow-document';
import type { TreeStep } from './step-tree';

/*
 * References name methods by their colour and loops by their loop variable. These functions rewrite
 * them when a colour or variable changes.
 */

/** Functions that rewrite the texts of a step or field binding. */
interface Rewriter {
  /** Texts of requests. */
  readonly text: (text: string) => string;
  readonly expression: (text: string) => string;
  /** The colour and path of a method's field, in a condition or at an end of a binding. */
  readonly color: (color: string) => string;
  readonly path: (path: string) => string;
  /** The variables of a script. */
  readonly variables: (text: string) => string;
}

/** Rewrites the references of a step. Returns the same object if nothing changes. */
function rewriteStep({ kind, step }: TreeStep, rewriter: Rewriter): StepDocument {
  if (kind === 'method')
    return withField(step, 'request', rewriteTexts(step.request, rewriter.text)) as StepDocument;
  const { expression, condition } = step;
  return withField(
    withField(
      step,
      'expression',
      typeof expression === 'string' ? rewriter.expression(expression) : expression,
    ),
    'condition',
    isJsonObject(condition)
      ? ['leftStatement', 'rightStatement'].reduce(
          (changed, side) => withField(changed, side, rewriteField(changed[side], rewriter)),
          condition,
        )
      : condition,
  ) as StepDocument;
}

/** Rewrites the references of a field binding. Returns the same object if nothing changes. */
function rewriteBinding(binding: JsonObject, rewriter: Rewriter): JsonObject {
  const rewriteEnds = (ends: unknown): unknown =>
    Array.isArray(ends)
      ? keepUnchanged(
          ends,
          ends.map((end) => rewriteField(end, rewriter)),
        )
      : ends;
  const { from, to, enhancement } = binding;
  const script =
    isJsonObject(enhancement) && typeof enhancement.expertVar === 'string'
      ? withField(enhancement, 'expertVar', rewriter.variables(enhancement.expertVar))
      : enhancement;
  return withField(
    withField(withField(binding, 'from', rewriteEnds(from)), 'to', rewriteEnds(to)),
    'enhancement',
    script,
  );
}

/** A constant has no colour and is not rewritten. */
function rewriteField(field: unknown, rewriter: Rewriter): unknown {
  if (!isJsonObject(field) || typeof field.color !== 'string' || field.color === '') return field;
  return withField(
    withField(field, 'color', rewriter.color(field.color)),
    'field',
    typeof field.field === 'string' ? rewriter.path(field.field) : field.field,
  );
}

/** Returns the same object if the value is equal or the field is missing. */
const withField = (object: JsonObject, name: string, value: unknown): JsonObject =>
  !Object.hasOwn(object, name) || object[name] === value ? object : { ...object, [name]: value };

const keepUnchanged = (before: readonly unknown[], after: unknown[]): readonly unknown[] =>
  after.every((entry, at) => entry === before[at]) ? before : after;

/** Rewrites every text of a value. Parts in which nothing changes are returned as they are. */
function rewriteTexts(value: unknown, rewrite: (text: string) => string): unknown {
  if (typeof value === 'string') return rewrite(value);
  if (Array.isArray(value)) {
    const list: unknown[] = (value as unknown[]).map((entry) => rewriteTexts(entry, rewrite));
    return keepUnchanged(value, list);
  }
  if (!isJsonObject(value)) return value;
  const fields: [string, unknown][] = Object.entries(value).map(([name, entry]) => [
    name,
    rewriteTexts(entry, rewrite),
  ]);
  return fields.every(([name, entry]) => entry === value[name])
    ? value
    : Object.fromEntries(fields);
}

/**
 * Changes every reference to the method with the colour `from` to the colour `to`: in the steps,
 * which are replaced, and in the returned bindings.
 */
export function recolorReferences(
  steps: readonly TreeStep[],
  bindings: readonly JsonObject[],
  from: string,
  to: string,
): JsonObject[] {
  const pattern = new RegExp(`${from}(?=\\.\\()`, 'gi');
  const recolorText = (text: string): string => text.replace(pattern, to);
  const rewriter: Rewriter = {
    text: recolorText,
    expression: recolorText,
    variables: recolorText,
    path: (path) => path,
    color: (color) => (color.toUpperCase() === from.toUpperCase() ? to : color),
  };
  for (const node of steps) {
    node.step = rewriteStep(node, rewriter);
  }
  return bindings.map((binding) => rewriteBinding(binding, rewriter));
}

export const isColor = (value: unknown): value is string =>
  typeof value === 'string' && /^#[0-9A-Fa-f]{6}$/.test(value);

/** Gives new methods without a colour one that no other step has: references name it. */
export function addColors(nodes: readonly TreeStep[]): void {
  const usedColors = new Set(
    nodes.map(({ step: { color } }) => (isColor(color) ? color.toUpperCase() : null)),
  );
  for (const node of nodes) {
    if (node.kind !== 'method' || node.saved !== null || node.step.color !== undefined) continue;
    let color: string;
    do color = `#${randomBytes(3).toString('hex').toUpperCase()}`;
    while (usedColors.has(color));
    usedColors.add(color);
    node.step = { ...node.step, color };
  }
}

const isLoop = ({ kind, step }: TreeStep): boolean =>
  kind === 'operator' && operatorTypeOf(step.type as string | null | undefined) === 'loop';

const ownIterator = (step: StepDocument): string =>
  typeof step.iterator === 'string' ? step.iterator.trim() : '';

/** Returns the loop variables of the loops among these operators, the outermost first. */
export function iteratorsOf(around: readonly TreeStep[]): string[] {
  const names: string[] = [];
  for (const { step } of around.filter(isLoop))
    names.push(ownIterator(step) || implicitIterator(names.length));
  return names;
}

/** A step, with the loop variables of the enclosing loops before and after the move. */
interface IteratorScope {
  readonly node: TreeStep;
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly renames: Renames;
}

/**
 * The renames that apply at each method, by its colour in upper case: bindings to that method need
 * them.
 */
export type RenamesByColor = Map<string, Renames>;

/**
 * Updates the loop variables of moved steps. A loop keeps its variable; it is written into
 * `iterator` if the new depth does not imply it. If an enclosing loop uses the same variable, the
 * loop gets another one and the references inside are rewritten.
 */
export function updateIterators(
  nodes: readonly TreeStep[],
  before: readonly string[],
  now: readonly string[],
  renames: Renames = new Map(),
): RenamesByColor {
  const byColor: RenamesByColor = new Map();
  const pending: IteratorScope[] = nodes.map((node) => ({ node, before, now, renames }));
  for (let scope = pending.pop(); scope; scope = pending.pop()) {
    const { node } = scope;
    if (scope.renames.size > 0) node.step = rewriteStep(node, renamer(scope.renames));
    if (node.kind === 'method' && typeof node.step.color === 'string')
      byColor.set(node.step.color.toUpperCase(), scope.renames);
    const inside = isLoop(node) ? updateLoop(scope) : scope;
    for (const child of node.children) pending.push({ ...inside, node: child });
  }
  return byColor;
}

/** Sets the loop variable of a loop, and returns what applies to the steps inside. */
function updateLoop({ node, before, now, renames }: IteratorScope): Omit<IteratorScope, 'node'> {
  const own = ownIterator(node.step);
  const old = own || implicitIterator(before.length);
  const name = now.includes(old) ? findFreeName(now) : old;
  if (name !== (own || implicitIterator(now.length))) node.step = { ...node.step, iterator: name };
  return {
    before: [...before, old],
    now: [...now, name],
    renames: withRename(renames, old, name, node.step),
  };
}

function findFreeName(names: readonly string[]): string {
  for (let depth = names.length; ; depth += 1)
    if (!names.includes(implicitIterator(depth))) return implicitIterator(depth);
}

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
export function renameInBinding(binding: JsonObject, byColor: RenamesByColor): JsonObject {
  const [target] = Array.isArray(binding.to) ? (binding.to as unknown[]) : [];
  const renames =
    isJsonObject(target) && typeof target.color === 'string'
      ? byColor.get(target.color.toUpperCase())
      : undefined;
  return renames && renames.size > 0 ? rewriteBinding(binding, renamer(renames)) : binding;
}

const renamer = (renames: Renames): Rewriter => ({
  text: (text) => renamedInText(text, renames),
  expression: (text) => renamedInExpression(text, renames),
  color: (color) => color,
  path: (path) => renamedInPath(path, renames),
  variables: (text) => renamedInVariables(text, renames),
});
