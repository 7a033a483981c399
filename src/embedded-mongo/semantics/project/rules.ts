import { located, unsupported } from '../errors';
import { isTruthy } from '../match/field';
import { compileFilter } from '../match';
import { exactInteger } from '../numbers';
import { isDocument, isNumeric } from '../values';
import type { Doc } from '../values';
import { RuleTree } from './tree';

export type Rule =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  | { readonly kind: 'slice'; readonly cut: (array: readonly unknown[]) => unknown[] }
  /** Keeps the first element that passes. */
  | { readonly kind: 'elementMatch'; readonly matches: (array: unknown) => number | undefined };

export interface Rules {
  readonly including: boolean;
  readonly tree: RuleTree<Rule>;
  readonly keepsId: boolean;
  /** The path that ends in `.$`, without it. */
  readonly positional: readonly string[] | undefined;
}

interface Entry {
  readonly path: string;
  readonly rule: Rule;
}

/**
 * Parses the projection of find and findAndModify.
 * @throws StoreError 31253 / 31254 for a mix of inclusion and exclusion, 115 for computed fields
 */
export function parseRules(projection: Doc): Rules {
  const entries = Object.entries(projection).flatMap(([path, value]) => entriesOf(path, value));
  const positional = positionalOf(entries);
  const plain = entries.map(({ path, rule }) => ({ path: withoutPosition(path), rule }));
  const including = isInclusion(plain, positional !== undefined);
  const tree = new RuleTree<Rule>();
  const id = plain.find(({ path }) => path === '_id');
  for (const { path, rule } of plain) {
    if (path !== '_id' || (rule.kind !== 'include' && rule.kind !== 'exclude')) tree.add(path, rule);
  }
  const idHasRule = tree.children.has('_id');
  const keepsId = id?.rule.kind !== 'exclude' && !idHasRule;
  if (id !== undefined && idHasRule && id.rule.kind === 'include') throw located(31250, 'Path collision at _id');
  return { including, tree, keepsId, positional };
}

function entriesOf(path: string, value: unknown): Entry[] {
  if (typeof value === 'boolean' || isNumeric(value)) return [{ path, rule: { kind: isTruthy(value) ? 'include' : 'exclude' } }];
  if (!isDocument(value)) throw unsupported(`computed fields in a projection (at ${path}) are`);
  const [operator] = Object.keys(value);
  if (operator === undefined) throw located(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path}`);
  if (operator.startsWith('$')) return [{ path, rule: operatorRule(path, operator, value) }];
  return Object.entries(value).flatMap(([name, inner]) => entriesOf(`${path}.${name}`, inner));
}

function operatorRule(path: string, operator: string, value: Doc): Rule {
  if (Object.keys(value).length > 1) throw located(16410, `projection operator ${operator} must be the only field of its document`);
  if (operator === '$slice') return { kind: 'slice', cut: compileSlice(value.$slice) };
  if (operator === '$elemMatch') return elementMatch(path, value.$elemMatch);
  throw unsupported(`the projection operator ${operator} is`);
}

function elementMatch(path: string, operand: unknown): Rule {
  if (!isDocument(operand)) throw located(31274, `elemMatch: Invalid argument, object required, but got ${typeof operand}`);
  if (path.includes('.')) throw located(31275, 'Cannot use $elemMatch projection on a nested field');
  const filter = compileFilter({ a: { $elemMatch: operand } });
  return { kind: 'elementMatch', matches: (array) => filter.positionOf({ a: array }) };
}

/** `$slice: n`, or `$slice: [skip, limit]`; negative counts from the end. */
function compileSlice(operand: unknown): (array: readonly unknown[]) => unknown[] {
  if (isNumeric(operand)) {
    const count = clamped(operand);
    return (array) => (count < 0 ? array.slice(count) : array.slice(0, count));
  }
  if (!Array.isArray(operand)) throw located(31273, '$slice only supports numbers and [skip, limit] arrays');
  if (operand.length !== 2) throw located(31272, '$slice array argument should be of form [skip, limit]');
  const [skip, limit] = (operand as unknown[]).map(clamped);
  if (limit <= 0) throw located(31256, '$slice limit must be positive');
  return (array) => {
    const from = skip < 0 ? Math.max(0, array.length + skip) : skip;
    return array.slice(from, from + limit);
  };
}

function clamped(operand: unknown): number {
  const number = exactInteger(operand);
  if (number === undefined) throw located(31273, '$slice only supports whole numbers');
  return Math.max(-0x8000_0000, Math.min(0x7fff_ffff, number));
}

function positionalOf(entries: readonly Entry[]): readonly string[] | undefined {
  const positional = entries.filter(({ path }) => /(^|\.)\$(\.|$)/.test(path));
  if (positional.length === 0) return undefined;
  if (positional.length > 1) throw located(31276, 'Cannot specify more than one positional projection per query.');
  const [{ path, rule }] = positional;
  if (!/^[^$].*\.\$$/.test(path) || withoutPosition(path).split('.').includes('$')) {
    throw located(31394, 'As of 4.4, it\'s illegal to specify positional operator in the middle of a path. Positional projection may only be used at the end, for example: a.b.$.');
  }
  if (rule.kind === 'exclude') throw located(31395, 'positional projection cannot be used with exclusion');
  if (rule.kind !== 'include') throw unsupported(`the positional projection ${path} with an operator is`);
  return withoutPosition(path).split('.');
}

const withoutPosition = (path: string): string => (path.endsWith('.$') ? path.slice(0, -2) : path);

function isInclusion(entries: readonly Entry[], positional: boolean): boolean {
  const fields = entries.filter(({ path }) => path !== '_id');
  const included = fields.find(({ rule }) => rule.kind === 'include');
  const excluded = fields.find(({ rule }) => rule.kind === 'exclude');
  if (included !== undefined && excluded !== undefined) throw mixed(fields, included, excluded);
  if (excluded !== undefined && positional) throw located(31395, 'positional projection cannot be used with exclusion');
  const matching = entries.some(({ rule }) => rule.kind === 'elementMatch');
  if (excluded !== undefined && matching) throw unsupported('a projection that excludes fields beside $elemMatch is');
  if (included !== undefined || matching) return true;
  return excluded === undefined && entries.some(({ path, rule }) => path === '_id' && rule.kind === 'include');
}

/** The first field decides the kind of the projection, so the error names the first of the other kind. */
function mixed(fields: readonly Entry[], included: Entry, excluded: Entry): Error {
  return fields.indexOf(included) < fields.indexOf(excluded)
    ? located(31254, `Cannot do exclusion on field ${excluded.path} in inclusion projection`)
    : located(31253, `Cannot do inclusion on field ${included.path} in exclusion projection`);
}
