import fc from 'fast-check';
import { compileFilter } from '../../src/embedded-mongo/semantics/match';
import { compileProjection } from '../../src/embedded-mongo/semantics/project';
import type { Doc } from '../../src/embedded-mongo/semantics/values';
import { nested } from './support/arbitrary-values';
import { codeOf } from './support/errors';
import { positionalCases, projectionCases, projectionErrors } from './support/project-cases';

const project = (projection: Doc, doc: Doc, filter?: Doc): Doc => compileProjection(projection)(doc, filter === undefined ? undefined : compileFilter(filter));

describe('a projection', () => {
  test.each(projectionCases)('%j of %j is %j', (projection, doc, expected) => {
    expect(project(projection, doc)).toEqual(expected);
  });

  test.each(positionalCases)('%j after finding by %j cuts %j to %j', (projection, filter, doc, expected) => {
    expect(project(projection, doc, filter)).toEqual(expected);
  });

  test.each(projectionErrors)('%p fails with %p', (projection, code) => {
    expect(codeOf(() => compileProjection(projection))).toBe(code);
  });

  test('by position fails when the filter matched no element', () => {
    expect(codeOf(() => project({ 'a.$': 1 }, { a: [1] }, { b: null }))).toBe(51246);
  });

  test('keeps the order of the document and puts what $elemMatch found last', () => {
    expect(Object.keys(project({ c: 1, a: 1 }, { _id: 1, a: 1, b: 2, c: 3 }))).toEqual(['_id', 'a', 'c']);
    expect(Object.keys(project({ a: { $elemMatch: { $eq: 1 } }, c: 1 }, { _id: 1, a: [1], c: 3 }))).toEqual(['_id', 'c', 'a']);
  });

  test('of fields and without the same fields share nothing and leave nothing out', () => {
    fc.assert(fc.property(nested, fc.subarray(['a', 'b', 'c'], { minLength: 1 }), (doc, names) => {
      const projection = (value: 0 | 1): Doc => Object.fromEntries(names.map((name) => [name, value]));
      const before = structuredClone(doc);
      const kept = project(projection(1), doc);
      const rest = project(projection(0), doc);
      expect({ ...rest, ...kept }).toEqual(doc);
      expect(Object.keys(kept).filter((name) => Object.hasOwn(rest, name))).toEqual([]);
      expect(doc).toEqual(before);
    }));
  });
});
