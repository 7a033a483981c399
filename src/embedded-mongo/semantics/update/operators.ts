import { describe } from '../describe';
import { failedToParse, immutableField, unsupported } from '../errors';
import { valuesEqual } from '../order';
import { isDocument, requireValidId, typeName } from '../values';
import type { Doc } from '../values';
import { compileArrayFilters, requireMatchingFilters } from './array-filters';
import type { ArrayFilters } from './array-filters';
import { arrayOperators } from './array-operators';
import { TouchedPaths } from './conflicts';
import { cannotCreate, cannotTraverse, lookUp, removeAt, setAt } from './edit';
import { fieldOperators } from './field-operators';
import type { FieldChange } from './field-operators';
import { compareParts, parseUpdatePath } from './path';
import type { UpdatePath } from './path';
import { applyRename, parseRename } from './rename';
import type { Rename } from './rename';
import { resolveTargets } from './targets';

export interface ApplyOptions {
  readonly inserting: boolean;
  /** Index of the array element the query matched. */
  readonly position?: number;
  readonly now: Date;
}

interface ChangeOfPath {
  readonly path: UpdatePath;
  readonly change: FieldChange;
}

interface Plan {
  readonly changes: ChangeOfPath[];
  readonly renames: Rename[];
}

interface Step {
  readonly parts: readonly string[];
  readonly run: (doc: Doc) => Doc;
}

/**
 * Compiles an update made of operators.
 * @throws StoreError 9 for unknown operators and malformed operands, 40 for conflicting paths
 */
export function compileOperators(update: Doc, arrayFilters: readonly Doc[]): (doc: Doc, options: ApplyOptions) => Doc {
  const plan = parseOperators(update);
  const filters = compileArrayFilters(arrayFilters);
  const paths = [...plan.changes.map(({ path }) => path), ...plan.renames.flatMap(({ from, to }) => [from, to])];
  requireMatchingFilters(paths, filters);
  const touched = new TouchedPaths();
  for (const { text } of paths) touched.add(text.split('.'));
  return (doc, options) => applyPlan(doc, plan, filters, options);
}

function parseOperators(update: Doc): Plan {
  const plan: Plan = { changes: [], renames: [] };
  for (const [name, operands] of Object.entries(update)) {
    const compile = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (compile === undefined && name !== '$rename') throw unknownOperator(name);
    if (!isDocument(operands)) {
      throw failedToParse(`Modifiers operate on fields but we found type ${typeName(operands)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${describe(operands)}}`);
    }
    for (const [path, operand] of Object.entries(operands)) {
      if (compile === undefined) plan.renames.push(parseRename(path, operand));
      else plan.changes.push({ path: parseUpdatePath(path), change: compile(operand, path) });
    }
  }
  return plan;
}

const operators = { ...fieldOperators, ...arrayOperators };

function unknownOperator(name: string): Error {
  if (name === '$bit') return unsupported('the update operator $bit is');
  return failedToParse(`Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`);
}

function applyPlan(doc: Doc, plan: Plan, filters: ArrayFilters, options: ApplyOptions): Doc {
  const steps = [...changeSteps(doc, plan, filters, options), ...plan.renames.map(renameStep)];
  steps.sort((a, b) => compareParts(a.parts, b.parts));
  const after = steps.reduce((current, step) => step.run(current), { ...doc });
  return requireSameId(doc, after, options.inserting);
}

const renameStep = (rename: Rename): Step => ({ parts: rename.to.text.split('.'), run: (doc) => applyRename(doc, rename) });

function changeSteps(doc: Doc, plan: Plan, filters: ArrayFilters, options: ApplyOptions): Step[] {
  const touched = new TouchedPaths();
  const positions = { matched: options.position, filters };
  return plan.changes
    .filter(({ change }) => options.inserting || change.onInsertOnly === undefined)
    .flatMap(({ path, change }) => resolveTargets(doc, path, positions).map((parts): Step => {
      touched.add(parts);
      return { parts, run: (current) => applyChange(current, parts, change, options.now) };
    }));
}

function applyChange(doc: Doc, parts: readonly string[], change: FieldChange, now: Date): Doc {
  const found = lookUp(doc, parts);
  if (found.state === 'blocked') {
    if (change.whenBlocked === 'ignore') return doc;
    throw (change.whenMissing === 'create' ? cannotCreate : cannotTraverse)(parts, found.at, found.by);
  }
  if (found.state === 'missing' && change.whenMissing === 'ignore') return doc;
  const current = found.state === 'found' ? found.value : undefined;
  const next = change.next(current, { doc, path: parts.join('.'), now });
  if (next === undefined) return removeAt(doc, parts);
  return next === current ? doc : setAt(doc, parts, next);
}

/** `_id` may be given by the update only when a document without one is inserted. */
function requireSameId(before: Doc, after: Doc, inserting: boolean): Doc {
  const had = Object.hasOwn(before, '_id');
  const has = Object.hasOwn(after, '_id');
  if (had && !(has && valuesEqual(before._id, after._id))) {
    throw immutableField(`Performing an update on the path '_id' would modify the immutable field '_id'`);
  }
  if (!had && has) {
    if (!inserting) throw immutableField(`Performing an update on the path '_id' would modify the immutable field '_id'`);
    requireValidId(after._id);
  }
  return after;
}
