import { located } from '../../errors';
import { compileFilter } from '../../match';
import { exactInteger } from '../../numbers';
import { compileSort } from '../../sort';
import { isDocument, isNumeric } from '../../values';
import type { Doc } from '../../values';
import { describe } from '../../describe';
import { scopeOf } from '../expression';
import { compileExpression } from '../expressions';
import type { StageCompiler } from '../stage';

export const match: StageCompiler = (specification) => {
  const filter = compileFilter(matchFilter(specification));
  return (docs) => docs.filter((doc) => filter.test(doc));
};

/** @throws StoreError 15959 */
export function matchFilter(specification: unknown): Doc {
  if (!isDocument(specification)) throw located(15959, 'the match filter must be an expression in an object');
  return specification;
}

export const sort: StageCompiler = (specification) => {
  const order = compileSort(sortPattern(specification));
  return (docs) => docs.toSorted(order);
};

/** @throws StoreError 15973 / 15976 */
export function sortPattern(specification: unknown): Doc {
  if (!isDocument(specification)) throw located(15973, 'the $sort key specification must be an object');
  if (Object.keys(specification).length === 0) throw located(15976, '$sort stage must have at least one sort key');
  return specification;
}

export const skip: StageCompiler = (specification) => {
  const count = skipCount(specification);
  return (docs) => docs.slice(count);
};

/** @throws StoreError 5107200 */
export function skipCount(specification: unknown): number {
  const count = exactInteger(specification);
  if (count !== undefined && count >= 0) return count;
  const problem = !isNumeric(specification) ? 'Expected a number' : count === undefined ? 'Expected an integer' : 'Expected a non-negative number';
  throw located(5107200, `invalid argument to $skip stage: ${problem} in: $skip: ${describe(specification)}`);
}

export const limit: StageCompiler = (specification) => {
  const count = limitCount(specification);
  return (docs) => docs.slice(0, count);
};

/** @throws StoreError 15958 / 5107201 */
export function limitCount(specification: unknown): number {
  const count = exactInteger(specification);
  if (count === 0) throw located(15958, 'the limit must be positive');
  if (count !== undefined && count > 0) return count;
  const problem = !isNumeric(specification) ? 'Expected a number' : count === undefined ? 'Expected an integer' : 'Expected a non-negative number';
  throw located(5107201, `invalid argument to $limit stage: ${problem} in: $limit: ${describe(specification)}`);
}

export const count: StageCompiler = (name) => {
  if (typeof name !== 'string') throw located(40156, 'the count field must be a non-empty string');
  if (name === '') throw located(40157, 'the count field must be a non-empty string');
  if (name.startsWith('$')) throw located(40158, 'the count field cannot be a $-prefixed path');
  if (name.includes('.')) throw located(40160, "the count field cannot contain '.'");
  return (docs) => (docs.length === 0 ? [] : [{ [name]: docs.length }]);
};

/** `$replaceRoot: { newRoot }` and `$replaceWith`. */
export const replaceRoot: StageCompiler = (specification, name) => {
  const newRoot = name === '$replaceWith' ? specification : newRootOf(specification);
  const expression = compileExpression(newRoot);
  return (docs) => docs.map((doc) => {
    const root = expression(scopeOf(doc));
    if (isDocument(root)) return root;
    throw located(40228, `'${name === '$replaceWith' ? 'replacement document' : 'newRoot expression'}' must evaluate to an object, but resulting value was: ${describe(root)}`);
  });
};

function newRootOf(specification: unknown): unknown {
  if (!isDocument(specification)) throw located(40229, 'expected an object as specification for $replaceRoot stage');
  const unknown = Object.keys(specification).find((key) => key !== 'newRoot');
  if (unknown !== undefined) throw located(40230, `unrecognized option to $replaceRoot stage: ${unknown}, only valid option is 'newRoot'.`);
  if (specification.newRoot === undefined) throw located(40231, 'no newRoot specified for the $replaceRoot stage');
  return specification.newRoot;
}
