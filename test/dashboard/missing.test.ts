import { MISSING_MARKS, missingReason, MISSING_TEXTS } from '../../dashboard/run/missing-reason';
import { RunResults } from '../../dashboard/run/run-results';

/** A step in more iterations than are kept. */
function longLoop(more: number): RunResults {
  const facts = new RunResults();
  for (let turn = 0; turn < 2_000 + more; turn++) {
    facts.apply({
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
const READ = { failure: null, progress: null };

it('missingOf distinguishes steps that did not run from results that were dropped', () => {
  const facts = longLoop(5);
  expect([0, 4, 2_005].map((turn) => missingReason(facts, '0_0', [turn], READ))).toEqual([
    'dropped',
    'dropped',
    'not-run',
  ]);
  expect(missingReason(facts, '0_1', [0], READ)).toBe('not-run');
  expect(missingReason(longLoop(0), '0_0', [2_000], READ)).toBe('not-run');
});

it('missingOf does not report a step as not run while the log is loading or missing', () => {
  const facts = new RunResults();
  expect(missingReason(facts, '0', [], { failure: null, progress: 'loading the log' })).toBe(
    'loading',
  );
  expect(missingReason(facts, '0', [], { failure: { code: 'RUN_LOG_GONE' }, progress: null })).toBe(
    'deleted',
  );
  expect(missingReason(facts, '0', [], { failure: { code: null }, progress: null })).toBe('failed');
  expect([MISSING_MARKS.deleted, MISSING_TEXTS.deleted]).toEqual([
    'not stored',
    'The result of this step is no longer stored.',
  ]);
});
