import { Binary, Double, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import type { Doc } from '../../src/values/values';

const names = fc.constantFrom('a', 'b', 'c', 'ab', '');

const numbers = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(0.5, -0, 2 ** 53, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), Infinity, -Infinity, NaN),
);

const longs = fc
  .oneof(
    fc.bigInt({ min: -3n, max: 3n }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(2n ** 53n, 2n ** 53n + 1n),
  )
  .map((value) => Long.fromBigInt(value));

const scalars = fc.oneof(
  numbers,
  longs,
  fc.integer({ min: -3, max: 3 }).map((value) => new Double(value)),
  fc.string({ maxLength: 4, unit: 'binary' }),
  fc.constantFrom('a', 'b', 'ab'),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.integer({ min: 0, max: 3 }).map((at) => new Date(at)),
  fc
    .constantFrom('000000000000000000000001', '000000000000000000000002')
    .map((hex) => new ObjectId(hex)),
  fc
    .tuple(fc.uint8Array({ maxLength: 3 }), fc.constantFrom(0, 4, 128))
    .map(([bytes, subtype]) => new Binary(bytes, subtype)),
);

/** Values of every type of the store, in a small range so that equal ones occur often. */
export const values: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; document: Doc }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      scalars,
      fc.array(tie('value'), { maxLength: 3 }),
      tie('document'),
    ),
    document: fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  }),
).value;

export const documents: fc.Arbitrary<Doc> = fc.dictionary(fc.constantFrom('a', 'b', 'c'), values, {
  maxKeys: 3,
  noNullPrototype: true,
});

/** Documents of nested documents and arrays of small numbers, for existing paths. */
export const nested: fc.Arbitrary<Doc> = fc.letrec<{ value: unknown; document: Doc }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer({ min: 0, max: 3 }),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('document'),
  ),
  document: fc.dictionary(fc.constantFrom('a', 'b', 'c', '0'), tie('value'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
})).document;

export const paths: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('a', 'b', 'c', '0', '1'), { minLength: 1, maxLength: 3 })
  .filter(([first]) => !/\d/.test(first))
  .map((parts) => parts.join('.'));
