import { LogResults, lastPosition } from '../../dashboard/run/log-results';
import type { LogElement, LogBranch, RunEnd, TailEvent } from '../../dashboard/run/log-results';
import { parseIterations } from '../../dashboard/run/iterations';

const finishedAt = '2026-05-04T10:00:01.500Z';
const ENDED: RunEnd = { state: 'SUCCEEDED', finishedAt, position: null };
const ROOTS: LogBranch = { parentId: '7-1', loopIndex: null };
const element = (
  elementId: string,
  type: LogElement['type'],
  index: string,
  loopIndex: number[],
  more: Partial<LogElement> = {},
): LogElement => ({
  elementId,
  type,
  state: 'COMPLETE',
  index,
  loopIndex,
  startedAt: '2026-05-04T10:00:00.000Z',
  durationMs: type === 'OPERATION' ? 5 : null,
  name: null,
  label: null,
  attempt: type === 'OPERATION' ? 1 : null,
  statusCode: null,
  result: null,
  size: null,
  error: null,
  ...more,
});
const logOf = (end: RunEnd, ...pages: [LogBranch, LogElement[]][]): LogResults => {
  const log = new LogResults('7', end);
  for (const [place, elements] of pages) log.add(place, elements);
  return log;
};

it('LogFacts requests the flowchart first and then the contents of the selected iterations', () => {
  const log = logOf(ENDED);
  expect(log.unloadedBranches(new Map())).toEqual([ROOTS]);
  log.add(ROOTS, [
    element('7-2', 'OPERATION', '0', []),
    element('7-4', 'LOOP', '1', [], { size: 9 }),
    element('7-90', 'IF', '2', [], { result: true }),
    element('7-91', 'IF', '3', [], { result: false }),
  ]);
  const newest = { parentId: '7-4', loopIndex: [8] };
  expect(log.unloadedBranches(new Map())).toEqual([newest, { parentId: '7-90', loopIndex: null }]);
  log.add(newest, [element('7-80', 'LOOP', '1_0', [8], { size: 2 })]);
  log.add({ parentId: '7-90', loopIndex: null }, []);
  expect(log.unloadedBranches(new Map())).toEqual([{ parentId: '7-80', loopIndex: [8, 1] }]);
  expect(log.unloadedBranches(parseIterations('1:8,1_0:0'))).toEqual([
    { parentId: '7-80', loopIndex: [8, 0] },
  ]);
  expect(log.unloadedBranches(parseIterations('1:3'))).toEqual([
    { parentId: '7-4', loopIndex: [3] },
  ]);
  log.add({ parentId: '7-80', loopIndex: [8, 1] }, []);
  expect(log.unloadedBranches(new Map())).toEqual([]);
});

it('LogFacts keeps the loop values of the iterations that were read', () => {
  const log = logOf(ENDED, [ROOTS, [element('7-4', 'LOOP', '1', [], { size: 3 })]]);
  const place = { parentId: '7-4', loopIndex: [2] };
  log.add(place, [element('7-30', 'LOOP', '1_0', [2], { size: 2 })], {
    index: '1',
    loopIndex: [2],
    value: 'the third',
  });
  log.add({ parentId: '7-30', loopIndex: [2, 1] }, [], null);
  expect([
    log.results.iterationValue('1', [2]),
    log.results.iterationValue('1', [1]),
    log.results.iterationValue('1_0', [2, 1]),
  ]).toEqual(['the third', null, null]);
  expect(log.unloadedBranches(parseIterations('1:2,1_0:1'))).toEqual([]);
});

it('LogFacts requests nothing for a loop without iterations', () => {
  expect(
    logOf(ENDED, [
      ROOTS,
      [
        element('7-2', 'LOOP', '0', [], { size: 0 }),
        element('7-4', 'LOOP', '1', [], { size: null }),
      ],
    ]).unloadedBranches(new Map()),
  ).toEqual([]);
});

it('LogFacts shows the result of the last attempt of a step', () => {
  const { results: facts } = logOf(ENDED, [
    ROOTS,
    [
      element('7-2', 'OPERATION', '0', [], {
        state: 'FAIL',
        statusCode: 503,
        label: 'Read',
        error: { code: 'HTTP_STATUS_ERROR', message: 'no' },
      }),
      element('7-4', 'OPERATION', '0', [], { attempt: 2, statusCode: 200, label: 'Read' }),
      element('7-6', 'IF', '1', [], { result: false }),
    ],
  ]);
  expect(facts.resultOf('0', [])).toMatchObject({
    state: 'SUCCEEDED',
    attempts: 2,
    statusCode: 200,
    elementId: '7-4',
    error: null,
    finishedSequence: null,
  });
  expect([
    facts.steps.get('0')?.name,
    facts.resultOf('1', [])?.result,
    facts.steps.get('1')?.kind,
  ]).toEqual(['Read', false, 'if']);
});

it('LogFacts shows a condition and a loop with an evaluation error as failed', () => {
  const error = { code: 'EXPRESSION_TYPE_MISMATCH', message: 'no' } as const;
  const log = logOf({ state: 'FAILED', finishedAt, position: { index: '2', iterations: [] } }, [
    ROOTS,
    [
      element('7-2', 'IF', '1', [], { state: 'FAIL', error }),
      element('7-3', 'LOOP', '2', [], { state: 'FAIL', error }),
    ],
  ]);
  expect(log.results.resultOf('1', [])).toMatchObject({ state: 'FAILED', result: null, error });
  expect(log.results.resultOf('2', [])).toMatchObject({
    state: 'FAILED',
    startedIterations: 0,
    error,
  });
  expect(log.unloadedBranches(new Map())).toEqual([]);
});

it.each<[RunEnd['state'], RunEnd['position'], number]>([
  ['FAILED', { index: '1_0_0', iterations: [3, 5] }, 4],
  ['CANCELLED', { index: '1', iterations: [0] }, 1],
  ['INTERRUPTED', { index: '1', iterations: [] }, 0],
  ['FAILED', { index: '10_0', iterations: [3] }, 0],
  ['FAILED', null, 0],
])(
  'LogFacts places a run that was %s at %j in iteration %i of its open loop',
  (state, at, begun) => {
    const { results: facts } = logOf({ state, finishedAt, position: at }, [
      ROOTS,
      [
        element('7-2', 'LOOP', '0', [], { size: 3, durationMs: 70 }),
        element('7-9', 'LOOP', '1', [], { size: 8, state: 'FAIL' }),
        element('7-11', 'OPERATION', '2', [], { state: 'FAIL', durationMs: null }),
      ],
    ]);
    expect(facts.resultOf('0', [])).toMatchObject({
      state: 'SUCCEEDED',
      startedIterations: 3,
      durationMs: 70,
    });
    expect(facts.resultOf('1', [])).toMatchObject({
      state,
      startedIterations: begun,
      size: 8,
      durationMs: 1_500,
    });
    // This request was still open when the run ended.
    expect(facts.resultOf('2', [])).toMatchObject({ state, durationMs: 1_500 });
  },
);

it('placeOfLast finds the last position in the events of a run', () => {
  const begun = { __typename: 'StepStarted', index: '1_0', loopIndex: [3] } as TailEvent;
  const turn = { __typename: 'LoopIteration', index: '1', loopIndex: [], turn: 4 } as TailEvent;
  const others = [{ __typename: 'RunLog' }, { __typename: 'RunFinished' }] as TailEvent[];
  expect(lastPosition([turn, begun, ...others])).toEqual({ index: '1_0', iterations: [3] });
  expect(lastPosition([begun, turn, ...others])).toEqual({ index: '1', iterations: [4] });
  expect(lastPosition(others)).toBeNull();
});
