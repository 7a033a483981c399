import { Binary, Decimal128, Long, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { typesInOrder } from '../support/order-cases';
import { add, compareNumbers, compareValues, valuesEqual } from '../../src/values/compare';
import { encodeValue } from '../../src/storage/keys';
import { compileSort, extractKeys } from '../../src/query/sort';
import { documents, values } from '../support/arbitrary-values';
import { codeOf } from '../support/errors';

describe('the order of values', () => {
  test('is antisymmetric and reflexive', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(Math.sign(compareValues(a, b))).toBe(0 - Math.sign(compareValues(b, a)));
        expect(compareValues(a, a)).toBe(0);
      }),
    );
  });

  test('is transitive', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const [x, y, z] = [a, b, c].sort(compareValues);
        expect(compareValues(x, y)).toBeLessThanOrEqual(0);
        expect(compareValues(y, z)).toBeLessThanOrEqual(0);
        expect(compareValues(x, z)).toBeLessThanOrEqual(0);
        if (compareValues(x, y) === 0)
          expect(Math.sign(compareValues(x, z))).toBe(Math.sign(compareValues(y, z)));
      }),
    );
  });

  test('agrees with equality and with group keys', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(valuesEqual(a, b)).toBe(compareValues(a, b) === 0);
        expect(encodeValue(a).equals(encodeValue(b))).toBe(valuesEqual(a, b));
      }),
    );
  });

  test('compares strings as their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareValues(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
    expect(compareValues('\uffee', '\u{1F600}')).toBeLessThan(0);
  });

  test('compares int64 and double by exact value', () => {
    const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(long, fc.maxSafeInteger(), (a, b) => {
        expect(Math.sign(compareNumbers(Long.fromBigInt(a), b))).toBe(
          a === BigInt(b) ? 0 : a < BigInt(b) ? -1 : 1,
        );
      }),
    );
    expect(compareNumbers(Long.fromBigInt(2n ** 53n + 1n), 2 ** 53)).toBe(1);
    expect(compareNumbers(Long.MAX_VALUE, 2 ** 63)).toBe(-1);
    expect(compareNumbers(Long.fromNumber(1), 1.5)).toBe(-1);
    expect(compareNumbers(Long.fromNumber(-1), -1.5)).toBe(1);
    expect(compareNumbers(Long.MIN_VALUE, NaN)).toBe(1);
  });

  test('ranks the types as BSON does', () => {
    for (let index = 1; index < typesInOrder.length; index++) {
      expect(compareValues(typesInOrder[index - 1], typesInOrder[index])).toBeLessThan(0);
    }
  });

  test('distinguishes documents with a different field order', () => {
    expect(valuesEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false);
    expect(valuesEqual({ a: 1, b: 2 }, { a: 1, b: Long.fromNumber(2) })).toBe(true);
  });

  test('compares documents by type, then name, then value, field by field', () => {
    expect(compareValues({ b: 1 }, { a: 'x' })).toBeLessThan(0);
    expect(compareValues({ a: 9 }, { b: 1 })).toBeLessThan(0);
    expect(compareValues({ a: 1 }, { a: 1, b: null })).toBeLessThan(0);
  });

  test('distinguishes binaries with bytes that are not UTF-8', () => {
    expect(valuesEqual(new Binary(Buffer.from([0xff])), new Binary(Buffer.from([0xfe])))).toBe(
      false,
    );
    expect(
      compareValues(new Binary(Buffer.from([9])), new Binary(Buffer.from([0, 0]))),
    ).toBeLessThan(0);
    expect(
      compareValues(new Binary(Buffer.from([9]), 0), new Binary(Buffer.from([0]), 4)),
    ).toBeLessThan(0);
  });

  test.each([Decimal128.fromString('1'), new Timestamp({ t: 1, i: 1 }), new MinKey()])(
    'rejects %p',
    (value) => {
      expect(codeOf(() => compareValues(value, 1))).toBe(115);
    },
  );
});

describe('a sort', () => {
  test('is a total order of documents', () => {
    const order = compileSort({ a: 1, 'b.c': -1 });
    const sortable = documents.filter(
      (doc) => codeOf(() => extractKeys(doc, [['a'], ['b', 'c']])) === 'no error',
    );
    fc.assert(
      fc.property(sortable, sortable, sortable, (a, b, c) => {
        expect(Math.sign(order(a, b))).toBe(0 - Math.sign(order(b, a)));
        const [x, y, z] = [a, b, c].sort(order);
        expect(order(x, y)).toBeLessThanOrEqual(0);
        expect(order(y, z)).toBeLessThanOrEqual(0);
        expect(order(x, z)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test.each([
    [{ a: 2 }, 15975],
    [{ a: 'asc' }, 15974],
    [{ a: { $meta: 'textScore' } }, 115],
    [{ '': 1 }, 40352],
    [{ 'a..b': 1 }, 15998],
    [{ $a: 1 }, 16410],
  ])('by %p fails with %p', (sort, code) => {
    expect(codeOf(() => compileSort(sort))).toBe(code);
  });

  test('by two arrays is rejected as in MongoDB', () => {
    expect(codeOf(() => compileSort({ a: 1, b: 1 })({ a: [1], b: [2] }, {}))).toBe(2);
  });
});

describe('arithmetic', () => {
  test('keeps int32 while it fits and grows to int64 exactly', () => {
    expect(add(1, 2)).toBe(3);
    expect(add(2 ** 31 - 1, 1)).toEqual(Long.fromNumber(2 ** 31));
    expect(add(-(2 ** 31), -1)).toEqual(Long.fromNumber(-(2 ** 31) - 1));
    expect(add(Long.fromNumber(1), 1)).toEqual(Long.fromNumber(2));
  });

  test('reports an int64 overflow', () => {
    expect(add(Long.MAX_VALUE, 1)).toBeUndefined();
    expect(add(Long.MIN_VALUE, -1)).toBeUndefined();
  });

  test('uses doubles when one operand is a double', () => {
    expect(add(Long.fromNumber(1), 0.5)).toBe(1.5);
    expect(add(3_000_000_000, 1)).toBe(3_000_000_001);
  });
});

test('ObjectIds are ordered by their bytes', () => {
  expect(
    compareValues(
      new ObjectId('00000000000000000000000a'),
      new ObjectId('0000000000000000000000ff'),
    ),
  ).toBeLessThan(0);
});
