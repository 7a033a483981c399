import { located } from '../errors';
import { isTruthy } from '../match/conditions';
import { RuleTree } from '../rule-tree';
import { assignField, field, isDocument, isNumeric, withField, withoutField } from '../values';
import type { Doc } from '../values';
import { compileExpression, fieldsRead } from './expression';
import type { Expression } from './operators';
import type { Documents, Stage, StageCompiler } from './stage';

type FieldRule =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  | { readonly kind: 'computed'; readonly value: Expression };

type Tree = RuleTree<FieldRule>;

interface Entry {
  readonly path: string;
  readonly rule: FieldRule;
}

/** `$project`: inclusion with computed fields, or exclusion. */
export const project: StageCompiler = (specification) => {
  if (!isDocument(specification)) throw located(15969, '$project specification must be an object');
  if (Object.keys(specification).length === 0) {
    throw located(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  }
  const found = Object.entries(specification).flatMap(([path, value]) => entries(path, value));
  const fields = found.filter(({ path }) => path !== '_id');
  const positive = fields.find(({ rule }) => rule.kind !== 'exclude');
  const negative = fields.find(({ rule }) => rule.kind === 'exclude');
  if (positive !== undefined && negative !== undefined) throw mixed(fields, positive, negative);
  const id = found.find(({ path }) => path === '_id');
  if (positive !== undefined || (negative === undefined && id?.rule.kind !== 'exclude'))
    return including(specification, found, id);
  return excluding(found.filter(({ rule }) => rule.kind === 'exclude'));
};

function mixed(fields: readonly Entry[], positive: Entry, negative: Entry): Error {
  const prefix = 'Invalid $project :: caused by ::';
  if (fields.indexOf(positive) < fields.indexOf(negative)) {
    return located(
      31254,
      `${prefix} Cannot do exclusion on field ${negative.path} in inclusion projection`,
    );
  }
  if (positive.rule.kind === 'computed')
    return located(
      31252,
      `${prefix} Cannot use an expression in an exclusion projection at ${positive.path}`,
    );
  return located(
    31253,
    `${prefix} Cannot do inclusion on field ${positive.path} in exclusion projection`,
  );
}

function entries(path: string, value: unknown): Entry[] {
  const names = isDocument(value) ? Object.keys(value) : [];
  if (!isDocument(value) || (names[0] ?? '').startsWith('$'))
    return [{ path, rule: ruleOf(value) }];
  if (names.length === 0)
    throw located(
      40180,
      `an empty object is not a valid value. Found empty object at path '${path}'`,
    );
  return names.flatMap((name) => entries(`${path}.${name}`, value[name]));
}

function ruleOf(value: unknown): FieldRule {
  if (typeof value !== 'boolean' && !isNumeric(value))
    return { kind: 'computed', value: compileExpression(value) };
  return { kind: isTruthy(value) ? 'include' : 'exclude' };
}

function treeOf(found: readonly Entry[]): Tree {
  const tree: Tree = new RuleTree();
  for (const { path, rule } of found) tree.add(path, rule);
  return tree;
}

function* everyDocument(documents: Documents, change: (doc: Doc) => Doc): Documents {
  for (const doc of documents) yield doc && change(doc);
}

function including(specification: Doc, found: readonly Entry[], id: Entry | undefined): Stage {
  const idBelow = found.some(({ path }) => path.startsWith('_id.'));
  const implicit: Entry[] =
    id === undefined && !idBelow ? [{ path: '_id', rule: { kind: 'include' } }] : [];
  const tree = treeOf([
    ...implicit,
    ...found.filter(({ path, rule }) => path !== '_id' || rule.kind !== 'exclude'),
  ]);
  const read = fieldsRead(specification);
  return {
    reads: read === 'all' ? 'all' : new Set([...read, ...tree.children.keys()]),
    replaces: true,
    run: (documents) =>
      everyDocument(documents, (doc) => computed(tree, included(tree, doc) as Doc, doc)),
  };
}

/** Keeps the named fields; computed fields are omitted and added by `computed`. */
function included(tree: Tree, value: unknown): unknown {
  if (Array.isArray(value))
    return (value as unknown[])
      .map((element) => included(tree, element))
      .filter((element) => element !== undefined);
  if (!isDocument(value)) return undefined;
  const result: Doc = {};
  for (const name of Object.keys(value)) {
    const rule = tree.children.get(name);
    const kept =
      rule instanceof RuleTree
        ? included(rule, value[name])
        : rule?.kind === 'include'
          ? value[name]
          : undefined;
    if (kept !== undefined) assignField(result, name, kept);
  }
  return result;
}

function excluding(found: readonly Entry[]): Stage {
  const tree = treeOf(found);
  return {
    reads: new Set(),
    run: (documents) => everyDocument(documents, (doc) => excluded(tree, doc) as Doc),
  };
}

function excluded(tree: Tree, value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map((element) => excluded(tree, element));
  if (!isDocument(value)) return value;
  const result: Doc = {};
  for (const name of Object.keys(value)) {
    const rule = tree.children.get(name);
    if (rule === undefined) assignField(result, name, value[name]);
    else if (rule instanceof RuleTree) assignField(result, name, excluded(rule, value[name]));
  }
  return result;
}

const computes = (rule: FieldRule | Tree): boolean =>
  rule instanceof RuleTree ? [...rule.children.values()].some(computes) : rule.kind === 'computed';

/** Sets the computed fields; a computed missing value removes the field. */
function computed(tree: Tree, doc: Doc, root: Doc): Doc {
  let result = doc;
  for (const [name, rule] of tree.children) {
    if (!computes(rule)) continue;
    const value =
      rule instanceof RuleTree
        ? computedWithin(rule, field(result, name), root)
        : evaluate(rule, root);
    result = value === undefined ? withoutField(result, name) : withField(result, name, value);
  }
  return result;
}

const evaluate = (rule: FieldRule, root: Doc): unknown =>
  rule.kind === 'computed' ? rule.value(root) : undefined;

/** Computes fields in each element of an array; replaces anything that is not a document. */
function computedWithin(tree: Tree, value: unknown, root: Doc): unknown {
  if (Array.isArray(value))
    return (value as unknown[]).map((element) => computedWithin(tree, element, root));
  return computed(tree, isDocument(value) ? value : {}, root);
}
