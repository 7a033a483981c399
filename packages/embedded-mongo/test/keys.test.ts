import fc from 'fast-check';
import { CUT_AT, afterPrefix, cutKey, descending, encodeValue } from '../src/storage/keys';
import { compareValues } from '../src/values/compare';
import { scalars, values } from './support/store-values';
import { rounds } from '../../../test/support/rounds';

const sign = Math.sign;

describe('index keys', () => {
  it('sort like the values they represent', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(sign(Buffer.compare(encodeValue(a), encodeValue(b)))).toBe(
          sign(compareValues(a, b)),
        );
      }),
      { numRuns: rounds(3_000) },
    );
  });

  it('sort in reverse when descending, also before another field', () => {
    fc.assert(
      fc.property(scalars, scalars, scalars, scalars, (a, b, c, d) => {
        const key = (first: unknown, second: unknown): Buffer =>
          Buffer.concat([descending(encodeValue(first)), encodeValue(second)]);
        const expected = -sign(compareValues(a, b)) || sign(compareValues(c, d));
        expect(sign(Buffer.compare(key(a, c), key(b, d)))).toBe(expected || 0);
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it('are never prefixes of one another', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [shorter, longer] = [encodeValue(a), encodeValue(b)].sort(
          (one, other) => one.length - other.length,
        );
        if (compareValues(a, b) !== 0)
          expect(longer.subarray(0, shorter.length).equals(shorter)).toBe(false);
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it('are below the end of their prefix', () => {
    fc.assert(
      fc.property(values, fc.uint8Array({ maxLength: 4 }), (value, suffix) => {
        const key = encodeValue(value);
        expect(Buffer.compare(Buffer.concat([key, suffix]), afterPrefix(key))).toBe(-1);
      }),
    );
  });

  it('remain distinct when they are truncated', () => {
    const long = (end: string): Buffer => cutKey(encodeValue('x'.repeat(CUT_AT * 2) + end)).key;
    expect(long('a').equals(long('b'))).toBe(false);
    expect(long('a').equals(long('a'))).toBe(true);
    expect(long('a').length).toBeLessThan(1_500);
  });
});
