import fc from 'fast-check';
import { applyInverse, computeInverse } from '../../src/features/workflows/editing/change';
import type { Inverse } from '../../src/features/workflows/editing/change';
import { rounds } from '../support/rounds';

const value = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, -1.5, '', 'a', 'ü'),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), value: tie('tree') }), {
      maxLength: 6,
    }),
    fc.dictionary(
      fc.constantFrom('z', 'y', 'x', 'constructor', '1', '0', 'a.b', '$set', '__proto__'),
      tie('tree'),
      { maxKeys: 5 },
    ),
  ),
})).tree;

/** A round trip through JSON, as it is stored. */
const undone = (before: unknown, now: unknown): unknown => {
  const inverse = computeInverse(before, now);
  return inverse === null ? now : applyInverse(now, JSON.parse(JSON.stringify(inverse)) as Inverse);
};

describe('an inverse patch', () => {
  it('restores the exact previous value after any changes', () => {
    fc.assert(
      fc.property(value, value, (before, now) => {
        expect(JSON.stringify(undone(before, now))).toBe(JSON.stringify(before));
      }),
      { numRuns: rounds(3_000) },
    );
  });

  it('restores the exact value after a single change, and is small', () => {
    const steps = Array.from({ length: 500 }, (_, nth) => ({
      id: `m${nth}`,
      index: String(nth),
      name: 'x'.repeat(100),
      more: { a: 1, b: [1, 2, { c: 3 }] },
    }));
    const before = {
      title: 'one',
      methods: steps,
      ui: { nodes: Array.from({ length: 500 }, (_, nth) => ({ x: nth, y: -nth })) },
    };
    const changes: ((copy: any) => void)[] = [
      (copy) => {
        copy.methods[250].more.b[2].c = 4;
      },
      (copy) => {
        copy.methods.splice(0, 1);
      },
      (copy) => {
        copy.methods.unshift({ id: 'new' });
      },
      (copy) => {
        copy.methods.push(copy.methods.shift());
      },
      (copy) => {
        copy.ui.nodes.splice(100, 1);
      },
      (copy) => {
        copy.ui.nodes.splice(100, 0, { x: 'new' });
      },
      (copy) => {
        const { title, ...rest } = copy.methods[3];
        copy.methods[3] = { ...rest, title };
      },
      (copy) => {
        copy.methods[7] = Object.fromEntries(Object.entries(copy.methods[7]).reverse());
      },
    ];
    for (const change of changes) {
      const now = structuredClone(before);
      change(now);
      expect(JSON.stringify(undone(before, now))).toBe(JSON.stringify(before));
      expect(JSON.stringify(computeInverse(before, now)).length).toBeLessThan(500);
    }
  });

  it('is empty for equal values, also for a field without a value', () => {
    const value = { a: [1, { b: null }], c: {} };
    expect(computeInverse(value, structuredClone(value))).toBeNull();
    expect(computeInverse(value, { ...value, gone: undefined })).toBeNull();
    expect(undone({ a: 1, b: undefined, c: 2 }, { b: 3, c: 2 })).toEqual({ a: 1, c: 2 });
  });
});
