import fc from 'fast-check';
import type {
  ConnectorDoc,
  MethodDoc,
  OperatorDoc,
  OutboundRequest,
  WorkflowSnapshot,
} from '../../src/engine';
import { compareIndexes, parseIndex } from '../../src/engine/plan/plan';
import {
  answering,
  colorOf,
  httpStep,
  ifStep,
  jsonBody,
  loopStep,
  ofKind,
  reference,
  runWith,
  workflow,
} from './support/run';
import { longIt } from '../support/long';
import { rounds } from '../support/rounds';

/** Runs a workflow whose remote system answers by path, and returns the called paths. */
async function visit(snapshot: WorkflowSnapshot, answers: Record<string, unknown> = {}) {
  const requests: OutboundRequest[] = [];
  const http = answering((request) => {
    requests.push(request);
    return answers[new URL(request.url).pathname] ?? {};
  });
  const result = await runWith(snapshot, { http });
  return {
    ...result,
    requests,
    calls: requests.map((request) => request.url.replace('http://remote', '')),
    bodies: requests.map((request) => JSON.parse(String(request.body ?? 'null'))),
  };
}

const step = (index: string, path = `/${index}`, more: Partial<MethodDoc> = {}): MethodDoc =>
  httpStep(index, `http://remote${path}`, more);

describe('the order of the steps', () => {
  it('is numeric by index part, with a prefix before its extensions', async () => {
    const indexes = ['10', '2', '1', '0', '1_10', '1_2', '1_2_0'];
    const operators = [ifStep('1', 'true'), ifStep('1_2', 'true')];
    const { calls, state } = await visit(
      workflow(
        ...indexes.filter((index) => index !== '1' && index !== '1_2').map((index) => step(index)),
        ...operators,
      ),
    );
    expect(state).toBe('SUCCEEDED');
    expect(calls).toEqual(['/0', '/1_2_0', '/1_10', '/2', '/10']);
  });

  it('is the natural order for any indexes', () => {
    const index = fc
      .array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('_'));
    fc.assert(
      fc.property(fc.uniqueArray(index, { maxLength: 12 }), (indexes) => {
        const padded = (text: string) =>
          text
            .split('_')
            .map((part) => part.padStart(3, '0'))
            .join('!');
        const sorted = [...indexes].sort((left, right) =>
          compareIndexes(parseIndex(left) ?? [], parseIndex(right) ?? []),
        );
        expect(sorted).toEqual(
          [...indexes].sort((left, right) => (padded(left) < padded(right) ? -1 : 1)),
        );
      }),
    );
  });

  it('treats missing parents as neutral groups, as in converted workflows', async () => {
    const snapshot = workflow(
      step('0_0'),
      loopStep('0_1', 'For([1, 2])', 'i'),
      step('0_1_3_0'),
      step('1_0'),
      ifStep('1_1', 'false'),
      step('1_1_0_7'),
      step('1_2'),
    );
    expect((await visit(snapshot)).calls).toEqual(['/0_0', '/0_1_3_0', '/0_1_3_0', '/1_0', '/1_2']);
  });

  it('includes the body of an if only when the condition is true, without other calls or events', async () => {
    const result = await visit(
      workflow(
        ifStep('0', '1 > 2'),
        step('0_0'),
        ifStep('0_1', 'true'),
        step('0_1_0'),
        ifStep('1', '(1 < 2)'),
        step('1_0'),
      ),
    );
    expect(result.calls).toEqual(['/1_0']);
    expect(
      ofKind(result, 'ConditionEvaluated').map(({ index, expression, result: value }) => [
        index,
        expression,
        value,
      ]),
    ).toEqual([
      ['0', '1 > 2', false],
      ['1', '(1 < 2)', true],
    ]);
  });
});

describe('a loop', () => {
  it('may be nested, and a reference reads the answer of its own iteration', async () => {
    const snapshot = workflow(
      step('0'),
      loopStep('1', `For(${reference('0', '(response).body.groups')})`, 'i'),
      step('1_0', `/group/${reference('0', '(response).body.groups[i].id')}`),
      loopStep('1_1', `For(${reference('0', '(response).body.groups[i].members[*]')})`, 'j'),
      step(
        '1_1_0',
        `/member/${reference('0', '(response).body.groups[i].members[j]')}/of/${reference('1_0', '(response).body.name')}`,
      ),
    );
    const groups = [
      { id: 'a', members: ['x', 'y'] },
      { id: 'b', members: [] },
      { id: 'c', members: ['z'] },
    ];
    const { calls, steps, events } = await visit(snapshot, {
      '/0': { groups },
      '/group/a': { name: 'A' },
      '/group/b': { name: 'B' },
      '/group/c': { name: 'C' },
    });
    expect(calls).toEqual([
      '/0',
      '/group/a',
      '/member/x/of/A',
      '/member/y/of/A',
      '/group/b',
      '/group/c',
      '/member/z/of/C',
    ]);
    expect(steps).toBe(7);
    const places = events
      .filter((event) => event.kind === 'StepStarted')
      .map((event) => `${event.index}@${event.loopIndex.join(',')}`);
    expect(places).toEqual([
      '0@',
      '1_0@0',
      '1_1_0@0,0',
      '1_1_0@0,1',
      '1_0@1',
      '1_0@2',
      '1_1_0@2,0',
    ]);
  });

  it('has no answer for a step that was skipped in the current iteration', async () => {
    const snapshot = workflow(
      loopStep('0', 'For(["a", "b", "c"])', 'i'),
      ifStep('0_0', 'i = 0'),
      step('0_0_0', '/first'),
      step('0_1', '/second', {
        request: {
          method: 'POST',
          endpoint: 'http://remote/second',
          body: jsonBody({ seen: reference('0_0_0', '(response).body.n') }),
        },
      }),
    );
    const { bodies, calls } = await visit(snapshot, { '/first': { n: 1 } });
    expect(calls).toEqual(['/first', '/second', '/second', '/second']);
    expect(bodies.slice(1)).toEqual([{ seen: 1 }, { seen: null }, { seen: null }]);
  });

  it('is paired by position with a loop of the other side', async () => {
    const snapshot = workflow(
      loopStep('0_0', 'For(["a", "b"])', 'i'),
      step('0_0_0', '/read/{%#0000F0.(response).body.list[i]%}'),
      loopStep('1_0', 'For(["a", "b"])', 'k'),
      step('1_0_0', `/write/${reference('0_0_0', '(response).body.id')}`),
      step('2', `/after/${reference('0_0_0', '(response).body.id')}`),
    );
    let next = 0;
    const calls: string[] = [];
    await runWith(snapshot, {
      http: answering((request) => {
        calls.push(new URL(request.url).pathname);
        return { id: (next += 1) };
      }),
    });
    expect(calls).toEqual(['/read/', '/read/', '/write/1', '/write/2', '/after/']);
  });

  it('iterates over the keys of an object with ForIn', async () => {
    const key = reference('0', "(response).body.prices['k']~");
    const value = reference('0', "(response).body.prices['k'].eur");
    const snapshot = workflow(
      step('0'),
      loopStep('1', `ForIn(${reference('0', '(response).body.prices')})`, 'k'),
      step('1_0', `/${key}/${value}`),
      ifStep('1_1', 'k = "tea"'),
      step('1_1_0', '/tea-time'),
    );
    const result = await visit(snapshot, {
      '/0': { prices: { tea: { eur: 3 }, 'a/b c': { eur: 4 }, __proto__: {} } },
    });
    expect(result.calls).toEqual(['/0', '/tea/3', '/tea-time', '/a%2Fb%20c/4']);
    expect(
      ofKind(result, 'LoopIteration').map(({ iterator, turn, size, value: label }) => [
        iterator,
        turn,
        size,
        label,
      ]),
    ).toEqual([
      ['k', 0, 2, 'tea'],
      ['k', 1, 2, 'a/b c'],
    ]);
  });

  it('iterates over the parts of a text with SplitString', async () => {
    const snapshot = workflow(
      step('0'),
      loopStep(
        '1',
        String.raw`SplitString(${reference('0', '(response).body.csv')}, ";\\s*")`,
        'i',
      ),
      step('1_0', `/${reference('0', '(response).body.csv[i]~')}`),
    );
    expect((await visit(snapshot, { '/0': { csv: 'red; green;blue' } })).calls).toEqual([
      '/0',
      '/red',
      '/green',
      '/blue',
    ]);
  });

  it('iterates over a number as its text', async () => {
    const part = (of: string) => reference('0', `(response).body.version${of}~`);
    const snapshot = workflow(
      step('0'),
      loopStep(
        '1',
        String.raw`SplitString(${reference('0', '(response).body.version')}, "\\.")`,
        'i',
      ),
      step('1_0', `/${part('[i]')}/${part('[0]')}/${part('[1]')}/${part('[*]')}`),
    );
    expect((await visit(snapshot, { '/0': { version: 5.1 } })).calls).toEqual([
      '/0',
      '/5/5/1/%5B%225%22%2C%221%22%5D',
      '/1/5/1/%5B%225%22%2C%221%22%5D',
    ]);
  });

  it('has no iteration for an empty list', async () => {
    const snapshot = workflow(
      step('0'),
      loopStep('1', reference('0', '(response).body.none'), 'i'),
      step('1_0'),
      loopStep('2', 'For([])', 'i'),
      step('2_0'),
      loopStep('3', `ForIn(${reference('0', '(response).body')})`, 'i'),
      step('3_0'),
    );
    const result = await visit(snapshot);
    expect(result.calls).toEqual(['/0']);
    expect(result.state).toBe('SUCCEEDED');
    expect(
      ofKind(result, 'LoopStarted').map(({ index, iterator, size }) => [index, iterator, size]),
    ).toEqual([
      ['1', 'i', 0],
      ['2', 'i', 0],
      ['3', 'i', 0],
    ]);
    expect(ofKind(result, 'LoopFinished').map(({ index, turns }) => [index, turns])).toEqual([
      ['1', 0],
      ['2', 0],
      ['3', 0],
    ]);
  });

  it('without a method in its body only counts its iterations', async () => {
    const result = await visit(
      workflow(
        loopStep('0', 'For([1, 2, 3])', 'i'),
        loopStep('0_0', 'For([1, 2])', 'j'),
        ifStep('0_0_0', 'j = 0'),
        loopStep('1', 'For([1, 2])', 'i'),
        ifStep('1_0', 'i = 0'),
        loopStep('1_0_0', 'For([1])', 'j'),
        step('1_0_0_0'),
        loopStep('1_1', 'For([1])', 'j'),
      ),
    );
    expect(
      ofKind(result, 'LoopIteration').map(({ index, loopIndex, turn }) => [index, loopIndex, turn]),
    ).toEqual([
      ['1', [], 0],
      ['1_0_0', [0], 0],
      ['1', [], 1],
    ]);
    const finished = ofKind(result, 'LoopFinished').map(
      ({ index, loopIndex, turns }) => `${index} in ${loopIndex.join()}: ${turns}`,
    );
    expect(finished).toEqual([
      '0_0 in 0: 2',
      '0_0 in 1: 2',
      '0_0 in 2: 2',
      '0 in : 3',
      '1_0_0 in 0: 1',
      '1_1 in 0: 1',
      '1_1 in 1: 1',
      '1 in : 2',
    ]);
    expect(ofKind(result, 'LoopStarted')).toHaveLength(finished.length);
    expect(ofKind(result, 'ConditionEvaluated')).toHaveLength(8);
  });

  it('has no end event after a failure', async () => {
    const result = await visit(workflow(loopStep('0', 'For([1])', 'i'), ifStep('0_0', '1')));
    expect(result.events.map(({ kind }) => kind)).toEqual([
      'RunStarted',
      'LoopStarted',
      'OperatorFailed',
      'RunFinished',
    ]);
  });

  it('without a variable gets the letter of its depth', async () => {
    const snapshot = workflow(
      { ...loopStep('0', 'For([1])', ''), iterator: null },
      { ...loopStep('0_0', 'For([1, 2])', ''), iterator: null },
      step('0_0_0'),
    );
    expect(ofKind(await visit(snapshot), 'LoopIteration').map(({ iterator }) => iterator)).toEqual([
      'i',
      'j',
      'j',
    ]);
  });

  it.each<[string, string]>([
    [
      `For(${reference('0', '(response).body')})`,
      'For needs a list, found a value of kind object.',
    ],
    [
      `ForIn(${reference('0', '(response).body.list')})`,
      'ForIn needs an object, found a value of kind list.',
    ],
    ['SplitString([1], ",")', 'SplitString needs a text, found a value of kind list.'],
  ])('%s over the wrong type of value ends the run', async (expression, message) => {
    const result = await visit(workflow(step('0'), loopStep('1', expression, 'i')), {
      '/0': { list: [] },
    });
    const { state, error } = result;
    expect(state).toBe('FAILED');
    expect(ofKind(result, 'OperatorFailed')).toMatchObject([
      {
        stepId: 'o1',
        index: '1',
        loopIndex: [],
        operator: 'loop',
        expression,
        iterator: 'i',
        error: { code: 'EXPRESSION_TYPE_MISMATCH', message: error?.message },
      },
    ]);
    expect(error).toEqual({
      step: 'o1',
      index: '1',
      loopIndex: [],
      attempt: 1,
      code: 'EXPRESSION_TYPE_MISMATCH',
      message: `Operator (index=1, type=loop): ${message}`,
    });
  });

  longIt(
    'of 100,000 iterations keeps one answer at a time and yields to the event loop',
    async () => {
      let ticks = 0;
      const ticker = setInterval(() => {
        ticks += 1;
      }, 1);
      const http = answering((request) =>
        request.url.endsWith('/0')
          ? Array.from({ length: 100_000 }, (_, index) => index)
          : { x: 1 },
      );
      const snapshot = workflow(
        step('0'),
        loopStep('1', reference('0', '(response).body'), 'i'),
        ifStep('1_0', 'i % 1000 = 0'),
        step('1_0_0', '/x'),
        ifStep('1_0_1', `${reference('1_0_0', '(response).body.x')} = 1`),
      );
      const result = await runWith(
        snapshot,
        { http },
        { recordSegments: false, limits: { maxKeptBytes: 700_000 } },
      );
      clearInterval(ticker);
      expect(result.error).toBeUndefined();
      expect(result.steps).toBe(101);
      expect(ofKind(result, 'LoopIteration')).toHaveLength(100_000);
      expect(ofKind(result, 'LoopFinished')).toMatchObject([{ turns: 100_000 }]);
      expect(ticks).toBeGreaterThan(3);
    },
  );

  it('keeps all answers that are read later, up to a limit', async () => {
    const snapshot = workflow(
      loopStep('0', 'For([1, 2, 3])', 'i'),
      step('0_0'),
      loopStep('1', 'For([1, 2, 3])', 'i'),
      step('1_0', `/${reference('0_0', '(response).body.x')}`),
    );
    const http = answering(() => ({ x: 'x'.repeat(90) }));
    expect((await runWith(snapshot, { http }, { limits: { maxKeptBytes: 300 } })).state).toBe(
      'SUCCEEDED',
    );
    expect(
      (await runWith(snapshot, { http }, { limits: { maxKeptBytes: 250 } })).error,
    ).toMatchObject({ code: 'RUN_OUT_OF_MEMORY', index: '0_0' });
  });
});

describe('a run that cannot continue', () => {
  it('names the operator whose condition is not boolean', async () => {
    const { error } = await visit(
      workflow(step('0'), ifStep('1', reference('0', '(response).body.text'))),
      { '/0': { text: 'true' } },
    );
    expect(error).toEqual({
      step: 'o1',
      index: '1',
      loopIndex: [],
      attempt: 1,
      code: 'EXPRESSION_NOT_BOOLEAN',
      message:
        'Operator (index=1, type=if): the expression is not true or false but a value of kind text.',
    });
  });

  it.each([
    ['CONNECTOR', 'CONNECTOR_NOT_FOUND'],
    ['SOMETHING_NEW', 'METHOD_TYPE_UNKNOWN'],
  ])('ends at a step of the type %s, after the steps before it', async (methodType, code) => {
    const result = await visit(
      workflow(
        step('0'),
        step('1', '/1', { methodType, connector: { connectorId: 3 } }),
        step('2'),
      ),
    );
    expect(result.calls).toEqual(['/0']);
    expect(result.error).toMatchObject({ step: 'm1', index: '1', code });
    expect(ofKind(result, 'StepFinished').map(({ index, state }) => [index, state])).toEqual([
      ['0', 'SUCCEEDED'],
      ['1', 'FAILED'],
    ]);
  });

  it.each<[ConnectorDoc | null]>([
    [null],
    [{}],
    [{ connectorId: -1 }],
    [{ connectorId: null, invoker: null }],
    [{ connectorId: 0, invoker: {} }],
  ])(
    'treats a legacy step without type and connector as a plain HTTP request: %j',
    async (connector) => {
      expect(
        (await visit(workflow(step('0', '/0', { methodType: null, connector })))).calls,
      ).toEqual(['/0']);
    },
  );

  it.each<[ConnectorDoc]>([
    [{ connectorId: 3 }],
    [{ connectorId: '3' }],
    [{ invoker: { name: 'zammad' } }],
    [{ connectorId: -1, invoker: 'zammad' }],
  ])('does not call a legacy step with a missing connector: %j', async (connector) => {
    const { calls, error } = await visit(
      workflow(step('0', '/0', { methodType: null, connector })),
    );
    expect([calls, error?.code]).toEqual([[], 'CONNECTOR_NOT_FOUND']);
  });

  it('uses the connector of the workflow for legacy steps without one', async () => {
    const legacy = workflow(step('0', '/0', { methodType: null }));
    expect(
      (await visit({ ...legacy, fromConnector: { ...legacy.fromConnector, connectorId: 7 } })).error
        ?.code,
    ).toBe('CONNECTOR_NOT_FOUND');
  });

  it('skips an unavailable step that is not reached', async () => {
    expect(
      (
        await visit(
          workflow(
            ifStep('0', 'false'),
            step('0_0', '/0_0', { methodType: 'SOMETHING_NEW' }),
            step('1'),
          ),
        )
      ).state,
    ).toBe('SUCCEEDED');
  });

  it('makes no call when a later step has a syntax error', async () => {
    const { calls, error, events } = await visit(workflow(step('0'), ifStep('1', '1 =')));
    expect(calls).toEqual([]);
    expect(error).toMatchObject({
      step: 'o1',
      index: '1',
      code: 'EXPRESSION_SYNTAX',
      message:
        'Operator (index=1, type=if): expression: Line 1, column 4: expected a value, found the end of the text.',
    });
    expect(events.map((event) => event.kind)).toEqual(['RunStarted', 'RunFinished']);
  });

  it('handles snapshots that do not match their type', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (methods, operators) => {
        const result = await runWith(
          { fromConnector: { methods, operators } } as unknown as WorkflowSnapshot,
          {},
        );
        expect(result.events.map((event) => event.kind).at(0)).toBe('RunStarted');
        expect(result.error?.code).not.toBe('RUN_FAULT');
      }),
      { numRuns: rounds(200) },
    );
    const odd = {
      fromConnector: {
        methods: [{ index: 1, request: { endpoint: 5, header: [], body: 'x' } }, null],
        operators: [{ index: '0', type: 'if', expression: true } as unknown as OperatorDoc],
      },
    };
    expect((await runWith(odd as unknown as WorkflowSnapshot, {})).error?.code).toBe(
      'INDEX_INVALID',
    );
    expect((await runWith({} as unknown as WorkflowSnapshot, {})).state).toBe('SUCCEEDED');
  });
});

describe('a condition of the 4.x line', () => {
  it('is used when there is no expression', async () => {
    const condition = {
      relationalOperator: '=',
      leftStatement: {
        color: colorOf('0'),
        type: 'response',
        field: 'success.state.id',
        rightPropertyValue: '',
      },
      rightStatement: { color: '', type: '', field: '4', rightPropertyValue: '' },
    };
    const loop = {
      relationalOperator: '',
      leftStatement: { color: colorOf('0'), type: 'response', field: 'success.list' },
      rightStatement: null,
    };
    const snapshot = workflow(
      step('0'),
      { id: 'o1', index: '1', type: 'if', condition },
      { id: 'o2', index: '1_0', type: 'loop', iterator: 'i', condition: loop },
      step('1_0_0'),
    );
    expect((await visit(snapshot, { '/0': { state: { id: 4 }, list: [1, 2] } })).calls).toEqual([
      '/0',
      '/1_0_0',
      '/1_0_0',
    ]);
    expect((await visit(snapshot, { '/0': { state: { id: 5 }, list: [1, 2] } })).calls).toEqual([
      '/0',
    ]);
  });
});
