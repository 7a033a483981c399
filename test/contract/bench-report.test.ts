import { missed, table } from '../../bench/measure/report';
import type { BenchResult } from '../../bench/result';

const figure = (name: string, value: number, more: Partial<BenchResult> = {}): BenchResult => ({
  name,
  value,
  unit: 'ms',
  ...more,
});

it('a bench report ends with targets, measurements and results', () => {
  expect(
    table([
      figure('a time', 99.94, { target: { below: 100 } }),
      figure('a slow time', 1_234.5, { target: { below: 1_000 } }),
      figure('no target', 3),
      figure('a rate', 2_500, { unit: '1/s', target: { atLeast: 2_500 } }),
      figure('a ratio', 0.65, { unit: 'x', target: { atLeast: 0.7 }, judged: true }),
      figure('a count', 0, { unit: 'of 74', target: { exactly: 0 }, judged: true }),
    ]).map((line) => line.trim().replaceAll(/ +/g, ' ')),
  ).toEqual([
    'target measured reached',
    '< 100 99.9 ms yes a time',
    '< 1,000 1,235 ms no a slow time',
    '>= 2,500 2,500 1/s yes a rate',
    '>= 0.7 0.650 x NO a ratio',
    '0 0 of 74 yes a count',
  ]);
});

it('a bench report aligns its columns, and is empty without targets', () => {
  const lines = table([
    figure('first', 5, { target: { below: 10 } }),
    figure('second', 123_456, { target: { atLeast: 1 } }),
  ]);
  expect(new Set(lines.slice(1).map((line) => line.search(/first|second/)))).toEqual(
    new Set([lines[1].indexOf('first')]),
  );
  expect(table([figure('no target', 3)])).toEqual([]);
});

it('a bench report shows a narrowly missed figure as missed', () => {
  expect(table([figure('just', 99.999, { target: { atLeast: 100 } })])[1]).toContain(
    '99.999 ms  no',
  );
});

it('a bench report fails for missed ratios and counts, but not for times and sizes', () => {
  const results = [
    figure('slow', 5_000, { target: { below: 10 } }),
    figure('ratio', 0.5, { target: { atLeast: 0.7 }, judged: true }),
    figure('reached', 0.7, { target: { atLeast: 0.7 }, judged: true }),
    figure('count', 1, { target: { exactly: 0 }, judged: true }),
    figure('grown', 1.3, { target: { below: 1.3 }, judged: true }),
    figure('judged for nothing', 1, { judged: true }),
  ];
  expect(missed(results).map(({ name }) => name)).toEqual(['ratio', 'count', 'grown']);
});
