import { MARKS, missingOf, SENTENCES } from '../../dashboard/run/missing';
import { RunFacts } from '../../dashboard/run/run-facts';

/** A step in more iterations than are kept. */
function longLoop(more: number): RunFacts {
  const facts = new RunFacts();
  for (let turn = 0; turn < 2_000 + more; turn++) {
    facts.take({
      __typename: 'ConditionEvaluated',
      sequence: turn + 1,
      at: '2026-05-04T10:00:00.000Z',
      index: '0_0',
      loopIndex: [turn],
      expression: 'true',
      result: true,
    });
  }
  return facts;
}
const READ = { failure: null, reading: null };

it('missingOf distinguishes steps that did not run from results that were dropped', () => {
  const facts = longLoop(5);
  expect([0, 4, 2_005].map((turn) => missingOf(facts, '0_0', [turn], READ))).toEqual([
    'let-go',
    'let-go',
    'not-run',
  ]);
  expect(missingOf(facts, '0_1', [0], READ)).toBe('not-run');
  expect(missingOf(longLoop(0), '0_0', [2_000], READ)).toBe('not-run');
});

it('missingOf does not report a step as not run while the log is loading or missing', () => {
  const facts = new RunFacts();
  expect(missingOf(facts, '0', [], { failure: null, reading: 'loading the log' })).toBe('reading');
  expect(missingOf(facts, '0', [], { failure: { code: 'RUN_LOG_GONE' }, reading: null })).toBe(
    'gone',
  );
  expect(missingOf(facts, '0', [], { failure: { code: null }, reading: null })).toBe('unread');
  expect([MARKS.gone, SENTENCES.gone]).toEqual([
    'not stored',
    'The result of this step is no longer stored.',
  ]);
});
