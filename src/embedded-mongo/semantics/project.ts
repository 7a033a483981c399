import { BsonType, Elements, documentOf } from '../bytes';
import { located, unsupported } from './errors';
import { isTruthy } from './match/conditions';
import { RuleTree } from './rule-tree';
import { isDocument, isNumeric } from './values';
import type { Doc } from './values';

interface Rule {
  readonly kind: 'include' | 'exclude';
}

interface Entry {
  readonly path: string;
  readonly rule: Rule;
}

/** Returns the projected bytes of a document. */
export type Projection = (document: Buffer) => Buffer;

/**
 * Compiles the projection of find: inclusion or exclusion of (dotted) fields. Works on bytes, so
 * that kept values are unchanged.
 * @throws StoreError 31253 / 31254 mixed inclusion and exclusion, 31249 / 31250 overlapping paths,
 *   115 operators, positions and computed fields
 */
export function compileProjection(projection: Doc): Projection {
  const entries = Object.entries(projection).flatMap(([path, value]) => entriesOf(path, value));
  if (entries.length === 0) return (document) => document;
  const including = isInclusion(entries);
  const tree = new RuleTree<Rule>();
  for (const { path, rule } of entries)
    if ((rule.kind === 'include') === including) tree.add(path, rule);
  if (including && !tree.children.has('_id') && !entries.some(({ path }) => path === '_id'))
    tree.add('_id', { kind: 'include' });
  const fields = fieldsOf(tree, including);
  return (document) => projected(fields, document, 0);
}

function entriesOf(path: string, value: unknown): Entry[] {
  if (path.split('.').includes('$')) throw unsupported(`the positional projection ${path} is`);
  if (typeof value === 'boolean' || isNumeric(value))
    return [{ path, rule: { kind: isTruthy(value) ? 'include' : 'exclude' } }];
  if (!isDocument(value)) throw unsupported(`computed fields in a projection (at ${path}) are`);
  const [operator] = Object.keys(value);
  if (operator === undefined)
    throw located(
      51270,
      `An empty sub-projection is not a valid value. Found empty object at path ${path}`,
    );
  if (operator.startsWith('$')) throw unsupported(`the projection operator ${operator} is`);
  return Object.entries(value).flatMap(([name, inner]) => entriesOf(`${path}.${name}`, inner));
}

/** All fields must be of one kind; `_id` may differ. */
function isInclusion(entries: readonly Entry[]): boolean {
  const fields = entries.filter(({ path }) => path !== '_id');
  const included = fields.find(({ rule }) => rule.kind === 'include');
  const excluded = fields.find(({ rule }) => rule.kind === 'exclude');
  if (included !== undefined && excluded !== undefined) throw mixed(fields, included, excluded);
  return included !== undefined || (excluded === undefined && entries[0].rule.kind === 'include');
}

/** The first field determines the kind; the error names the first field of the other kind. */
function mixed(fields: readonly Entry[], included: Entry, excluded: Entry): Error {
  return fields.indexOf(included) < fields.indexOf(excluded)
    ? located(31254, `Cannot do exclusion on field ${excluded.path} in inclusion projection`)
    : located(31253, `Cannot do inclusion on field ${included.path} in exclusion projection`);
}

/** Rules of one level: named fields are kept, omitted, or have rules themselves. */
interface Fields {
  readonly including: boolean;
  readonly named: ReadonlyArray<{ readonly name: Buffer; readonly within: Fields | undefined }>;
}

const fieldsOf = (tree: RuleTree<Rule>, including: boolean): Fields => ({
  including,
  named: [...tree.children].map(([name, child]) => ({
    name: Buffer.from(name, 'utf8'),
    within: child instanceof RuleTree ? fieldsOf(child, including) : undefined,
  })),
});

function projected(fields: Fields, bytes: Buffer, offset: number): Buffer {
  const kept: Buffer[] = [];
  for (const elements = new Elements(bytes, offset); elements.next();) {
    const found = fields.named.find(({ name }) => elements.isNamed(name));
    if (found?.within === undefined) {
      if ((found !== undefined) === fields.including) kept.push(elements.whole);
      continue;
    }
    const value = within(found.within, elements);
    if (value !== undefined) kept.push(bytes.subarray(elements.start, elements.valueStart), value);
  }
  return documentOf(kept);
}

/** Returns the kept part of a value; `undefined` removes the element (a scalar has no fields). */
function within(fields: Fields, elements: Elements): Buffer | undefined {
  if (elements.type === BsonType.document)
    return projected(fields, elements.bytes, elements.valueStart);
  if (elements.type === BsonType.array)
    return everyElement(fields, elements.bytes, elements.valueStart);
  return fields.including ? undefined : elements.bytes.subarray(elements.valueStart, elements.end);
}

function everyElement(fields: Fields, bytes: Buffer, offset: number): Buffer {
  const kept: Buffer[] = [];
  let index = 0;
  for (const elements = new Elements(bytes, offset); elements.next();) {
    const value = within(fields, elements);
    if (value !== undefined)
      kept.push(Buffer.from([elements.type]), Buffer.from(`${index++}\0`, 'latin1'), value);
  }
  return documentOf(kept);
}
