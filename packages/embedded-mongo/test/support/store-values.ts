import { Binary, Long, ObjectId } from 'bson';
import fc from 'fast-check';

/** BSON values of every type of the store, few of each so that equal and neighbouring ones occur. */
const numbers = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    NaN,
    Infinity,
    -Infinity,
    0.5,
    -0.5,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53),
    2 ** 63,
    -(2 ** 63),
    1e300,
    Number.MIN_VALUE,
  ),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc
    .constantFrom(1n, -1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 62n + 1n)
    .map((value) => Long.fromBigInt(value)),
);

const strings = fc.oneof(
  fc.constantFrom('', 'a', 'a\0', 'a\0\0', 'aa', 'ab', 'é', '\uffff', '😀', 'b'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);

const binaries = fc
  .tuple(fc.uint8Array({ maxLength: 3 }), fc.constantFrom(0, 5, 128))
  .map(([bytes, subtype]) => new Binary(bytes, subtype));

const objectIds = fc
  .integer({ min: 0, max: 3 })
  .map((seed) => new ObjectId(seed.toString(16).padStart(24, '0')));

const dates = fc.oneof(
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(new Date(0), new Date(-1), new Date(1), new Date(8.64e15)),
);

export const scalars = fc.oneof(
  numbers,
  strings,
  binaries,
  objectIds,
  dates,
  fc.boolean(),
  fc.constant(null),
);

const names = fc.constantFrom('a', 'b', 'aa', 'é', '0');

export const values: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value;
