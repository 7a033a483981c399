import fc from 'fast-check';
import { sortWithYields } from '../src/query/run-query';

it('a sort with yields gives the stable result of a sort without yields', () => {
  const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer()), {
    minLength: 0,
    maxLength: 5_000,
    size: 'max',
  });
  fc.assert(
    fc.property(items, (list) => {
      const order = ([a]: [number, number], [b]: [number, number]): number => a - b;
      const turns = sortWithYields(list, order);
      let pauses = 0;
      let step = turns.next();
      for (; step.done !== true; step = turns.next()) pauses++;
      expect(step.value).toEqual([...list].sort(order));
      expect(pauses).toBeGreaterThanOrEqual(Math.floor(list.length / 1_000));
    }),
    { numRuns: 30 },
  );
});
