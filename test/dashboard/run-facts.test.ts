import { RunResults } from '../../dashboard/run/run-results';
import type { RunEvent } from '../../dashboard/run/run-results';
import { treeFromResults, treeFromShapes } from '../../dashboard/run/step-tree';
import type { StepNode } from '../../dashboard/run/step-tree';
import { parseIterations, shownIteration, selectIteration } from '../../dashboard/run/iterations';

const at = '2026-05-04T10:00:00.000Z';
let sequence = 0;
beforeEach(() => {
  sequence = 0;
});
const next = (event: object): RunEvent => ({ sequence: ++sequence, at, ...event }) as RunEvent;
const began = (index: string, loopIndex: number[], attempt = 1): RunEvent =>
  next({
    __typename: 'StepStarted',
    index,
    loopIndex,
    name: 'call',
    label: null,
    attempt,
    connector: null,
  });
const finished = (index: string, loopIndex: number[], state = 'SUCCEEDED', attempt = 1): RunEvent =>
  next({
    __typename: 'StepFinished',
    index,
    loopIndex,
    attempt,
    state,
    statusCode: 200,
    durationMs: 5,
    error: state === 'FAILED' ? { code: 'HTTP_STATUS_ERROR', message: 'no' } : null,
  });
const loop = (index: string, loopIndex: number[], size: number): RunEvent =>
  next({ __typename: 'LoopStarted', index, loopIndex, iterator: 'i', size });
const turn = (index: string, loopIndex: number[], turn: number, size: number): RunEvent =>
  next({ __typename: 'LoopIteration', index, loopIndex, turn, size, value: turn });
const after = (...events: RunEvent[]): RunResults =>
  events.reduce((facts, event) => (facts.apply(event), facts), new RunResults());

it('RunFacts counts each event once, also after a reconnect', () => {
  const events = [began('0', []), finished('0', [])];
  const facts = after(...events, ...events);
  expect([facts.sequence, facts.steps.get('0')?.starts, facts.resultOf('0', [])?.state]).toEqual([
    2,
    1,
    'SUCCEEDED',
  ]);
});

it('RunFacts separates the iterations of nested loops and the attempts of a step', () => {
  const facts = after(
    loop('0', [], 2),
    turn('0', [], 0, 2),
    loop('0_0', [0], 2),
    turn('0_0', [0], 0, 2),
    began('0_0_0', [0, 0]),
    finished('0_0_0', [0, 0], 'FAILED'),
    began('0_0_0', [0, 0], 2),
    finished('0_0_0', [0, 0], 'SUCCEEDED', 2),
    turn('0_0', [0], 1, 2),
    began('0_0_0', [0, 1]),
  );
  expect(facts.resultOf('0_0_0', [0, 0])).toMatchObject({
    state: 'SUCCEEDED',
    attempts: 2,
    error: null,
  });
  expect(facts.resultOf('0_0_0', [0, 1])?.state).toBe('RUNNING');
  expect(facts.resultOf('0_0_0', [1, 0])).toBeUndefined();
  expect(shownIteration(facts, '0_0', [0], parseIterations(null))).toBe(1);
  expect(shownIteration(facts, '0_0', [0], parseIterations('0_0:0'))).toBe(0);
  expect(shownIteration(facts, '0_0', [0], parseIterations('0_0:99'))).toBe(1);
  expect(shownIteration(facts, '0_0', [1], parseIterations('0_0:0'))).toBeNull();
});

it('RunFacts ends open loops when the run ends', () => {
  const facts = after(
    loop('0', [], 3),
    turn('0', [], 0, 3),
    began('0_0', [0]),
    finished('0_0', [0], 'FAILED'),
    next({ __typename: 'RunFinished', state: 'FAILED', at: '2026-05-04T10:00:01.500Z' }),
  );
  expect([
    facts.resultOf('0', [])?.state,
    facts.resultOf('0', [])?.durationMs,
    facts.resultOf('0_0', [0])?.state,
    facts.resultOf('0_0', [0])?.durationMs,
    facts.endState,
  ]).toEqual(['FAILED', 1_500, 'FAILED', 5, 'FAILED']);
});

it('RunFacts shows a condition and a loop with an evaluation error as failed', () => {
  const error = { code: 'EXPRESSION_TYPE_MISMATCH', message: 'no' };
  const refused = (index: string, operator: 'IF' | 'LOOP') =>
    next({ __typename: 'OperatorFailed', index, loopIndex: [0], operator, error });
  const facts = after(
    loop('0', [], 3),
    turn('0', [], 0, 3),
    refused('0_0', 'IF'),
    refused('0_1', 'LOOP'),
    next({ __typename: 'RunFinished', state: 'FAILED' }),
  );
  expect(facts.resultOf('0_0', [0])).toMatchObject({ state: 'FAILED', result: null, error });
  expect(facts.resultOf('0_1', [0])).toMatchObject({
    state: 'FAILED',
    size: null,
    startedIterations: 0,
    error,
  });
  expect([
    facts.steps.get('0_0')?.kind,
    facts.steps.get('0_1')?.kind,
    facts.steps.get('0_1')?.failures,
  ]).toEqual(['if', 'loop', 1]);
});

it('RunFacts keeps a limited number of iterations and prefers failures', () => {
  const facts = after(loop('0', [], 5_000));
  for (let each = 0; each < 5_000; each++) {
    facts.apply(turn('0', [], each, 5_000));
    facts.apply(began('0_0', [each]));
    facts.apply(finished('0_0', [each], each === 3 ? 'FAILED' : 'SUCCEEDED'));
  }
  const step = facts.steps.get('0_0');
  expect([step?.results.size, step?.starts]).toEqual([2_000, 5_000]);
  expect([
    facts.iterationValue('0', [2_999]),
    facts.iterationValue('0', [3_000]),
    facts.iterationValue('0', [4_999]),
  ]).toEqual([null, 3_000, 4_999]);
  expect([
    facts.resultOf('0_0', [3])?.state,
    facts.resultOf('0_0', [4]),
    facts.resultOf('0_0', [4_999])?.state,
  ]).toEqual(['FAILED', undefined, 'SUCCEEDED']);
  // Kept and future iterations were not dropped.
  expect([3, 4, 2_999, 3_001, 5_000].map((each) => facts.isDropped('0_0', [each]))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

const shape = (index: string, operatorType?: 'IF' | 'LOOP') =>
  (operatorType === undefined
    ? {
        __typename: 'MethodStep',
        methodId: index,
        methodIndex: index,
        name: `call ${index}`,
        label: null,
        methodType: 'HTTP_REQUEST',
        connector: null,
        request: { method: 'GET', endpoint: 'http://a.test' },
        retries: null,
        timeout: null,
      }
    : {
        __typename: 'OperatorStep',
        operatorId: index,
        operatorIndex: index,
        operatorType,
        expression: 'true',
        iterator: 'i',
      }) as Parameters<typeof treeFromShapes>[0][number];
const indexes = (nodes: readonly StepNode[]): unknown[] =>
  nodes.map(({ index, children }) => (children.length === 0 ? index : [index, indexes(children)]));

it('a step tree nests steps by their numeric indexes, also if parents are missing', () => {
  expect(
    indexes(
      treeFromShapes([
        shape('10'),
        shape('2', 'LOOP'),
        shape('2_10'),
        shape('2_9', 'IF'),
        shape('2_9_0_4'),
        shape('5_0'),
      ]),
    ),
  ).toEqual([['2', [['2_9', ['2_9_0_4']], '2_10']], '5_0', '10']);
  expect(
    indexes(
      treeFromResults(after(loop('1', [], 1), began('1_0', [0]), began('0', [])).steps.values()),
    ),
  ).toEqual(['0', ['1', ['1_0']]]);
});

it('the URL keeps the selected iterations and drops those of inner loops with the outer one', () => {
  expect(selectIteration(parseIterations('1:3,1_0:2,4:1'), '1', 5)).toBe('4:1,1:5');
  expect(selectIteration(parseIterations('1:3,1_0:2'), '1_0', null)).toBe('1:3');
  expect([...parseIterations('1:3,x:1,1_0:-2,2:9999999999,<b>')]).toEqual([['1', 3]]);
});
