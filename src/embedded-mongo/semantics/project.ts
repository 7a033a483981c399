import { located } from './errors';
import type { Filter } from './match';
import { parseRules } from './project/rules';
import type { Rule, Rules } from './project/rules';
import { RuleTree } from './project/tree';
import { assignField, field, isDocument, withField } from './values';
import type { Doc } from './values';

/**
 * Compiles the projection of find: inclusion or exclusion of (dotted) fields, `$slice`, `$elemMatch` and the positional
 * `a.$`, which needs the filter the document was found by.
 * @throws StoreError 31253 / 31254 for a mix of inclusion and exclusion, 31249 / 31250 for overlapping paths, 115 for
 * computed fields; 51246 on applying `a.$` where the filter matched no array element
 */
export function compileProjection(projection: Doc): (doc: Doc, filter?: Filter) => Doc {
  if (Object.keys(projection).length === 0) return (doc) => doc;
  const rules = parseRules(projection);
  const apply = rules.including ? includer(rules) : excluder(rules);
  const { positional } = rules;
  if (positional === undefined) return apply;
  return (doc, filter) => keepPosition(apply(doc), positional, 0, () => filter?.positionOf(doc));
}

function includer({ tree, keepsId }: Rules): (doc: Doc) => Doc {
  return (doc) => {
    const result = include(tree, doc, keepsId);
    for (const [name, rule] of tree.children) {
      if (!(rule instanceof RuleTree) && rule.kind === 'elementMatch') keepElement(result, doc, name, rule.matches);
    }
    return result;
  };
}

/** MongoDB puts what `$elemMatch` finds after the other fields. */
function keepElement(result: Doc, doc: Doc, name: string, matches: (array: unknown) => number | undefined): void {
  const array = field(doc, name);
  const index = matches(array);
  if (index !== undefined) assignField(result, name, [(array as unknown[])[index]]);
}

function include(tree: RuleTree<Rule>, doc: Doc, keepsId: boolean): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const rule = tree.children.get(name);
    const kept = rule === undefined ? (keepsId && name === '_id' ? doc[name] : undefined) : included(rule, doc[name]);
    if (kept !== undefined) assignField(result, name, kept);
  }
  return result;
}

function included(rule: Rule | RuleTree<Rule>, value: unknown): unknown {
  if (rule instanceof RuleTree) {
    if (isDocument(value)) return include(rule, value, false);
    if (!Array.isArray(value)) return undefined;
    return (value as unknown[]).map((element) => included(rule, element)).filter((element) => element !== undefined);
  }
  if (rule.kind === 'elementMatch') return undefined;
  return rule.kind === 'slice' && Array.isArray(value) ? rule.cut(value) : value;
}

function excluder({ tree, keepsId }: Rules): (doc: Doc) => Doc {
  return (doc) => {
    const result = exclude(tree, doc);
    if (!keepsId && !tree.children.has('_id')) delete result._id;
    return result;
  };
}

function exclude(tree: RuleTree<Rule>, doc: Doc): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const rule = tree.children.get(name);
    const kept = rule === undefined ? doc[name] : remaining(rule, doc[name]);
    if (kept !== undefined) assignField(result, name, kept);
  }
  return result;
}

function remaining(rule: Rule | RuleTree<Rule>, value: unknown): unknown {
  if (rule instanceof RuleTree) {
    if (isDocument(value)) return exclude(rule, value);
    return Array.isArray(value) ? (value as unknown[]).map((element) => remaining(rule, element)) : value;
  }
  if (rule.kind === 'exclude') return undefined;
  return rule.kind === 'slice' && Array.isArray(value) ? rule.cut(value) : value;
}

/** Cuts the first array on the path down to the element the filter matched. */
function keepPosition(doc: Doc, path: readonly string[], at: number, position: () => number | undefined): Doc {
  const name = path[at];
  const value = field(doc, name);
  if (Array.isArray(value)) return withField(doc, name, [elementAt(value, position())]);
  if (!isDocument(value) || at === path.length - 1) return doc;
  return withField(doc, name, keepPosition(value, path, at + 1, position));
}

function elementAt(array: readonly unknown[], position: number | undefined): unknown {
  if (position === undefined) {
    throw located(51246, "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array");
  }
  if (position >= array.length) {
    throw located(51247, "Executor error during find command :: caused by :: positional operator '.$' element mismatch");
  }
  return array[position];
}
