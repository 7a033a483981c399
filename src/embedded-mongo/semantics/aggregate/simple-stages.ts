import { BSON } from 'bson';
import { describe } from '../describe';
import { located } from '../errors';
import { compileFilter } from '../match';
import { exactInteger } from '../numbers';
import { topLevel } from '../paths';
import { compileSort } from '../sort';
import { isDocument, isNumeric } from '../values';
import type { Doc } from '../values';
import { Holding } from './stage';
import type { StageCompiler } from './stage';

export const match: StageCompiler = (specification) => {
  const filter = compileFilter(matchFilter(specification));
  return {
    reads: filter.fields,
    *run(documents) {
      for (const doc of documents) if (doc === undefined || filter.test(doc)) yield doc;
    },
  };
};

/** @throws StoreError 15959 */
export function matchFilter(specification: unknown): Doc {
  if (!isDocument(specification))
    throw located(15959, 'the match filter must be an expression in an object');
  return specification;
}

export const sort: StageCompiler = (specification) => {
  const pattern = sortPattern(specification);
  const order = compileSort(pattern);
  return {
    reads: new Set(Object.keys(pattern).map(topLevel)),
    *run(documents) {
      const kept: Doc[] = [];
      const holding = new Holding('$sort');
      for (const doc of documents) {
        if (doc === undefined) {
          yield undefined;
          continue;
        }
        kept.push(doc);
        holding.add(BSON.calculateObjectSize(doc));
      }
      yield* kept.sort(order);
    },
  };
};

/** @throws StoreError 15973 / 15976 */
export function sortPattern(specification: unknown): Doc {
  if (!isDocument(specification))
    throw located(15973, 'the $sort key specification must be an object');
  if (Object.keys(specification).length === 0)
    throw located(15976, '$sort stage must have at least one sort key');
  return specification;
}

const NOTHING: ReadonlySet<string> = new Set();

export const skip: StageCompiler = (specification) => {
  const count = skipCount(specification);
  return {
    reads: NOTHING,
    *run(documents) {
      let passed = 0;
      for (const doc of documents) if (doc === undefined || passed++ >= count) yield doc;
    },
  };
};

/** @throws StoreError 5107200 */
export function skipCount(specification: unknown): number {
  const count = exactInteger(specification);
  if (count !== undefined && count >= 0) return count;
  throw located(
    5107200,
    `invalid argument to $skip stage: ${problemOf(specification, count)} in: $skip: ${describe(specification)}`,
  );
}

export const limit: StageCompiler = (specification) => {
  const count = limitCount(specification);
  return {
    reads: NOTHING,
    *run(documents) {
      let passed = 0;
      for (const doc of documents) {
        yield doc;
        if (doc !== undefined && ++passed === count) return;
      }
    },
  };
};

/** @throws StoreError 15958 / 5107201 */
export function limitCount(specification: unknown): number {
  const count = exactInteger(specification);
  if (count === 0) throw located(15958, 'the limit must be positive');
  if (count !== undefined && count > 0) return count;
  throw located(
    5107201,
    `invalid argument to $limit stage: ${problemOf(specification, count)} in: $limit: ${describe(specification)}`,
  );
}

function problemOf(specification: unknown, count: number | undefined): string {
  if (!isNumeric(specification)) return 'Expected a number';
  return count === undefined ? 'Expected an integer' : 'Expected a non-negative number';
}

export const count: StageCompiler = (name) => {
  if (typeof name !== 'string') throw located(40156, 'the count field must be a non-empty string');
  if (name === '') throw located(40157, 'the count field must be a non-empty string');
  if (name.startsWith('$')) throw located(40158, 'the count field cannot be a $-prefixed path');
  if (name.includes('.')) throw located(40160, "the count field cannot contain '.'");
  return {
    reads: NOTHING,
    replaces: true,
    *run(documents) {
      let total = 0;
      for (const doc of documents) {
        if (doc === undefined) yield undefined;
        else total++;
      }
      if (total > 0) yield { [name]: total };
    },
  };
};
