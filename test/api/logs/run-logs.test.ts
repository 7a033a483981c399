import { testService, unique } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { ended, untilEvent } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService();
const remote = testRemote(({ path }) => answer(path));
let answer: (path: string) => RemoteAnswer | Promise<RemoteAnswer>;
beforeEach(() => {
  answer = () => ({ body: { ok: true } });
});

const loop = (index: string, turns: number, iterator: string) => ({
  id: `o${index}`,
  index,
  type: 'loop',
  iterator,
  expression: `For([${Array.from({ length: turns }, (_, nth) => nth).join()}])`,
});
const nested = (): object =>
  workflow(
    [
      method('0', `${remote.url}/first`, { label: 'The first' }),
      method('1_0_0', `${remote.url}/in`),
      method('1_0_1_0', `${remote.url}/if`),
      method('1_1', `${remote.url}/out`),
      method('2', `${remote.url}/last`),
    ],
    [
      loop('1', 3, 'i'),
      loop('1_0', 2, 'j'),
      { id: 'c', index: '1_0_1', type: 'if', expression: 'i = 1' },
    ],
  );
const logged = async (document: object): Promise<{ id: number; runId: number }> => {
  const id = await saved(service, document);
  const runId = await started(service, id, true);
  await ended(service, runId);
  return { id, runId };
};
const children = async (id: number | string, query = ''): Promise<any[]> => {
  const { status, body } = await service.api(
    'GET',
    `/api/execution/log/element/${id}/children${query}`,
  );
  expect([id, status]).toEqual([id, 200]);
  return body;
};
const shown = (elements: any[]): string[] =>
  elements.map(
    ({ type, indexPath, properties: { loopIndex }, status }) =>
      `${type} ${indexPath} [${loopIndex}] ${status}`,
  );
/** Walks every element below one like a client, two per page. */
async function walked(id: number | string): Promise<string[]> {
  const elements: string[] = [];
  for (let after = ''; ;) {
    const page = await children(id, `?first=2${after}`);
    for (const child of page) {
      elements.push(
        shown([child])[0] ?? '',
        ...(child.type === 'OPERATION' ? [] : await walked(child.id)),
      );
    }
    if (page.length < 2) return elements;
    after = `&after=${page[1].id}`;
  }
}
const GRAPH = `query($parent: ID!, $turns: [Int!], $first: Int, $after: ID) { logElements(parentId: $parent, loopIndex: $turns, first: $first, after: $after) {
  elementId type state index loopIndex durationMs stepId name label attempt statusCode expression result iterator size connector { databaseId title } error { code message } run { databaseId }
} }`;
const DETAILS =
  'query($id: ID!) { logElement(elementId: $id) { element { elementId type state expression error { code message } } request { url method payload } response { status payload } } }';

it('the log shows a run as a tree with every kind of navigation, in both APIs', async () => {
  const { id, runId } = await logged(nested());
  const {
    body: { result },
  } = await service.api(
    'GET',
    `/api/execution/log-files?connectionId=${id}&schedulerId=-1&status=s`,
  );
  expect(result).toEqual([
    expect.stringMatching(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d_\\d\\d-\\d\\d_${id}_s_${runId}\\.log$`),
    ),
  ]);
  const {
    body: [root],
  } = await service.api('GET', `/api/execution/logs/children?fileName=${result[0]}`);
  expect(root).toMatchObject({
    id: String(runId),
    type: 'EXECUTION',
    status: 'COMPLETE',
    executionId: runId,
    connectionId: id,
    indexPath: null,
    error: null,
  });
  expect(shown(await children(runId))).toEqual(['FLOWCHART null [] COMPLETE']);
  const inner = (i: number) =>
    [0, 1].flatMap((j) => [
      `OPERATION 1_0_0 [${i},${j}] COMPLETE`,
      `IF 1_0_1 [${i},${j}] COMPLETE`,
      ...(i === 1 ? [`OPERATION 1_0_1_0 [${i},${j}] COMPLETE`] : []),
    ]);
  const expected = [
    'OPERATION 0 [] COMPLETE',
    'LOOP 1 [] COMPLETE',
    ...[0, 1, 2].flatMap((i) => [
      `LOOP 1_0 [${i}] COMPLETE`,
      ...inner(i),
      `OPERATION 1_1 [${i}] COMPLETE`,
    ]),
    'OPERATION 2 [] COMPLETE',
  ];
  expect(await walked(`${runId}-1`)).toEqual(expected);

  const top = await children(`${runId}-1`);
  expect(
    top.map(({ properties: { name, label, size, iterator } }) => ({ name, label, size, iterator })),
  ).toEqual([
    { name: 'call 0', label: 'The first', size: null, iterator: null },
    { name: null, label: null, size: 3, iterator: 'i' },
    { name: 'call 2', label: null, size: null, iterator: null },
  ]);
  expect(shown(await children(top[1].id, '?loopIndex=1'))).toEqual([
    'LOOP 1_0 [1] COMPLETE',
    'OPERATION 1_1 [1] COMPLETE',
  ]);
  const [middle] = await children(top[1].id, '?loopIndex=1');
  expect(shown(await children(middle.id, '?loopIndex=1'))).toEqual([
    'OPERATION 1_0_0 [1,1] COMPLETE',
    'IF 1_0_1 [1,1] COMPLETE',
  ]);
  expect(await children(middle.id, '?loopIndex=1,1')).toEqual(
    await children(middle.id, '?loopIndex=1'),
  );
  for (const none of ['2', '0,1', '1,1,1', '999999999'])
    expect([none, await children(middle.id, `?loopIndex=${none}`)]).toEqual([none, []]);

  const logElements = await service.field(GRAPH, { parent: `${runId}-1`, first: 100 });
  expect(logElements.map(({ elementId, type }: any) => [elementId, type])).toEqual(
    top.map((element) => [element.id, element.type]),
  );
  expect(logElements[0]).toMatchObject({
    state: 'COMPLETE',
    index: '0',
    loopIndex: [],
    stepId: 'm0',
    name: 'call 0',
    label: 'The first',
    attempt: 1,
    statusCode: 200,
    connector: null,
    error: null,
    run: { databaseId: runId },
  });
  expect(await service.field(GRAPH, { parent: middle.id, turns: [1], first: 1 })).toHaveLength(1);
  const [call] = top;
  const { body: details } = await service.api(
    'GET',
    `/api/execution/log/element/${call.id}/details`,
  );
  expect(details).toEqual({
    ...call,
    segment: {
      request: {
        url: `${remote.url}/first`,
        http_method: 'GET',
        header: expect.any(Object),
        payload: '',
      },
      response: {
        status: 200,
        duration: expect.any(Number),
        header: expect.any(Object),
        payload: '{"ok":true}',
      },
    },
  });
  expect(await service.data(DETAILS, { id: call.id })).toMatchObject({
    logElement: {
      element: { elementId: call.id },
      request: { url: `${remote.url}/first`, method: 'GET' },
      response: { status: 200, payload: '{"ok":true}' },
    },
  });
  const [, condition] = await children(middle.id, '?loopIndex=0');
  expect(
    await service.body('GET', `/api/execution/log/element/${condition.id}/details`),
  ).toMatchObject({ type: 'IF', properties: { expression: 'i = 1' }, segment: { result: 'true' } });
  for (const [leaf, none] of [
    [call.id, []],
    [runId, 1],
  ] as const)
    expect((await children(leaf)).length).toBe(none === 1 ? 1 : 0);
});

longIt(
  'the log is navigated through deeply nested loops and conditions and past an empty loop',
  async () => {
    const DEEP = 14;
    const at = (depth: number): string => Array.from({ length: depth + 1 }, () => '0').join('_');
    const operators = Array.from({ length: DEEP }, (_, depth) =>
      depth % 3 === 2
        ? { id: `c${depth}`, index: at(depth), type: 'if', expression: '1 = 1' }
        : loop(
            at(depth),
            depth === 0 || depth === DEEP - 1 ? 2 : 1,
            String.fromCharCode(97 + depth),
          ),
    );
    const none = loop(`${at(DEEP - 1)}_1`, 0, 'z');
    const { runId } = await logged(
      workflow(
        [
          method(at(DEEP), `${remote.url}/deep`, { color: '#FFCFB5' }),
          method(`${none.index}_0`, `${remote.url}/never`, { color: '#C77E7E' }),
        ],
        [...operators, none],
      ),
    );
    const turnsAt = (turn: number, depth: number): string =>
      operators
        .slice(0, depth)
        .flatMap(({ type }, nth) => (type === 'if' ? [] : nth === 0 ? [turn] : [0]))
        .join();
    const innermost = (turn: number): string[] =>
      [0, 1].flatMap((last) => {
        const turns = [turnsAt(turn, DEEP - 1), last].join();
        return [
          `OPERATION ${at(DEEP)} [${turns}] COMPLETE`,
          `LOOP ${none.index} [${turns}] COMPLETE`,
        ];
      });
    const below = (turn: number): string[] =>
      operators
        .slice(1)
        .map(
          ({ type, index }, nth) =>
            `${type.toUpperCase()} ${index} [${turnsAt(turn, nth + 1)}] COMPLETE`,
        );
    expect(await walked(runId)).toEqual([
      'FLOWCHART null [] COMPLETE',
      `LOOP 0 [] COMPLETE`,
      ...[0, 1].flatMap((turn) => [...below(turn), ...innermost(turn)]),
    ]);
  },
);

it('the log marks truncated names and shows them in full in the details', async () => {
  const [name, label] = ['n'.repeat(400), 'l'.repeat(5_000)];
  const { runId } = await logged(workflow([method('0', `${remote.url}/first`, { name, label })]));
  const [element] = await children(`${runId}-1`);
  expect([element.properties.name, element.properties.label]).toEqual([
    `${'n'.repeat(300)}…`,
    `${'l'.repeat(300)}…`,
  ]);
  const { body } = await service.api('GET', `/api/execution/log/element/${element.id}/details`);
  expect([body.properties.name, body.properties.label]).toEqual([name, label]);
});

const TURN =
  'query($id: ID!, $turns: [Int!]!) { logTurn(elementId: $id, loopIndex: $turns) { index loopIndex startedAt value } }';

it('the log shows the value of each loop iteration at any depth', async () => {
  answer = () => ({
    body: { byKey: { first: { a: 1 }, 'zweiter Schlüssel': { a: 2 }, '': { a: 3 } } },
  });
  const { runId } = await logged(
    workflow(
      [
        method('0', `${remote.url}/first`, { color: '#FFCFB5' }),
        method('1_0_0', `${remote.url}/in`),
        method('1_1_0_0', `${remote.url}/if`),
        method('1_1_1', `${remote.url}/out`),
      ],
      [
        loop('1', 2, 'i'),
        { id: 'first', index: '1_0', type: 'if', expression: 'i = 1' },
        {
          id: 'keys',
          index: '1_1',
          type: 'loop',
          iterator: 'k',
          expression: 'ForIn({%#FFCFB5.(response).body.byKey%})',
        },
        { id: 'inner', index: '1_1_0', type: 'loop', iterator: 'part', expression: 'For([1, 2])' },
        { ...loop('2', 2, 'none'), id: 'bare' },
        { id: 'nothing', index: '2_0', type: 'if', expression: '1 = 1' },
      ],
    ),
  );
  const { text } = await service.api('GET', `/api/execution/${runId}/raw/log`);
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const idOf = (sequence: number): string => `${runId}-${sequence}`;
  const turns = events.filter(({ kind }) => kind === 'LoopIteration');
  expect(turns.map(({ index }) => index).sort()).toEqual([
    '1',
    '1',
    ...Array.from({ length: 6 }, () => '1_1'),
    ...Array.from({ length: 12 }, () => '1_1_0'),
  ]);
  expect(turns.filter(({ index }) => index === '1_1').map(({ value }) => value)).toEqual([
    'first',
    'zweiter Schlüssel',
    '',
    'first',
    'zweiter Schlüssel',
    '',
  ]);
  for (const { index, loopIndex, turn, at, value } of turns) {
    const { sequence } = events.find(
      (event) =>
        event.kind === 'LoopStarted' &&
        event.index === index &&
        String(event.loopIndex) === String(loopIndex),
    );
    for (const path of [[turn], [...loopIndex, turn]]) {
      expect(await service.data(TURN, { id: idOf(sequence), turns: path })).toEqual({
        logTurn: { index, loopIndex: [...loopIndex, turn], startedAt: at, value },
      });
    }
  }
  const [outer, keys, bare, call] = [['1'], ['1_1', 1], ['2'], ['0']].map(([index, around]) =>
    idOf(
      events.find(
        (event) => event.index === index && (around === undefined || event.loopIndex[0] === around),
      ).sequence,
    ),
  );
  // No such iteration; a loop without calls, which has no iterations in the log; not a loop.
  for (const [id, turns] of [
    [outer, [2]],
    [outer, [-1]],
    [outer, []],
    [outer, [0, 0]],
    [keys, [0, 1]],
    [keys, [1, 3]],
    [bare, [0]],
    [call, [0]],
    [String(runId), [0]],
    [idOf(1), [0]],
  ] as const) {
    expect([id, turns, await service.data(TURN, { id, turns })]).toEqual([
      id,
      turns,
      { logTurn: null },
    ]);
  }
  for (const wrong of ['x', idOf(events.length), idOf(99_999), '99999999'])
    expect(JSON.stringify((await service.gql(TURN, { id: wrong, turns: [0] })).errors)).toMatch(
      /LOG_ELEMENT_NOT_FOUND|EXECUTION_NOT_FOUND/,
    );
});

it('the log shows the failed element and leaves running ones open', async () => {
  answer = (path) => (path === '/out' ? { status: 418, body: {} } : { body: {} });
  const { runId } = await logged(nested());
  expect(shown(await children(runId))).toEqual(['FLOWCHART null [] FAIL']);
  expect(shown(await children(`${runId}-1`))).toEqual([
    'OPERATION 0 [] COMPLETE',
    'LOOP 1 [] FAIL',
  ]);
  const [, outer] = await children(`${runId}-1`);
  expect(shown(await children(outer.id))).toEqual([
    'LOOP 1_0 [0] COMPLETE',
    'OPERATION 1_1 [0] FAIL',
  ]);
  const [, failed] = await children(outer.id);
  const { body } = await service.api('GET', `/api/execution/log/element/${failed.id}/details`);
  expect(body).toMatchObject({
    error: { code: 'HTTP_STATUS_ERROR', message: expect.stringContaining('418') },
    properties: { statusCode: 418 },
    segment: { response: { status: 418 } },
  });
  const [root] = await children(runId);
  for (const [{ error }, step] of [
    [body, /^at step .*\(1_1\), try 1, turn 0$/],
    [root, /^at step .*\(1_1\), try 1, turn 0$/],
  ] as const) {
    expect(error.stack_trace).toEqual([
      `HTTP_STATUS_ERROR: ${error.message}`,
      expect.stringMatching(step),
      expect.stringMatching(/^at workflow .+ \(\d+\)$/),
      `at run ${runId}`,
    ]);
  }

  let letGo: (answer: RemoteAnswer) => void = () => undefined;
  answer = (path) =>
    path === '/out'
      ? new Promise((resolve) => {
          letGo = resolve;
        })
      : { body: {} };
  remote.forget();
  const going = await started(service, await saved(service, nested()), true);
  for (let calls = 0; calls < 4; calls += 1) await remote.next();
  await untilEvent(service, going, 'LoopFinished');
  expect(shown(await children(`${going}-1`))).toEqual([
    'OPERATION 0 [] COMPLETE',
    'LOOP 1 [] PENDING',
  ]);
  letGo({ body: {} });
  answer = () => ({ body: {} });
  await ended(service, going);
  expect(shown(await children(`${going}-1`))).toEqual([
    'OPERATION 0 [] COMPLETE',
    'LOOP 1 [] COMPLETE',
    'OPERATION 2 [] COMPLETE',
  ]);
});

longIt('the log shows the duration of a finished loop everywhere', async () => {
  answer = (path) => (path === '/last' ? { status: 418, body: {} } : { body: {} });
  const { runId } = await logged(
    workflow(
      [
        method('0_0_0', `${remote.url}/in`),
        method('0_1', `${remote.url}/out`),
        method('2_0', `${remote.url}/last`),
      ],
      [loop('0', 2, 'i'), loop('0_0', 3, 'j'), loop('1', 2, 'k'), loop('2', 2, 'l')],
    ),
  );
  const { text } = await service.api('GET', `/api/execution/${runId}/raw/log`);
  const took = new Map<string, number>();
  for (const { kind, index, loopIndex, at } of text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))) {
    const sign = { LoopStarted: -1, LoopFinished: 1 }[kind as string];
    if (sign !== undefined)
      took.set(
        `${index} [${loopIndex}]`,
        (took.get(`${index} [${loopIndex}]`) ?? 0) + sign * new Date(at).getTime(),
      );
  }
  const [expected, unfinished] = [
    [...took].filter(([, ms]) => ms >= 0),
    [...took].filter(([, ms]) => ms < 0),
  ];
  expect([expected.map(([name]) => name), unfinished.map(([name]) => name)]).toEqual([
    ['0 []', '0_0 [0]', '0_0 [1]', '1 []'],
    ['2 []'],
  ]);
  for (const size of [1, 2, 500]) {
    const loops: [string, number | null][] = [];
    const below = async (id: string): Promise<void> => {
      for (let after = ''; ;) {
        const page = await children(id, `?first=${size}${after}`);
        for (const {
          id: element,
          type,
          indexPath,
          duration,
          properties: { loopIndex },
        } of page) {
          if (type !== 'LOOP') continue;
          loops.push([`${indexPath} [${loopIndex}]`, duration]);
          expect(
            (await service.api('GET', `/api/execution/log/element/${element}/details`)).body
              .duration,
          ).toBe(duration);
          await below(element);
        }
        if (page.length < size) return;
        after = `&after=${page.at(-1).id}`;
      }
    };
    await below(`${runId}-1`);
    expect([size, loops]).toEqual([size, [...expected, ['2 []', null]]]);
  }
});

it.each<[string, object, object]>([
  [
    'a condition',
    { type: 'if', expression: '1 + i' },
    { type: 'IF', properties: { expression: '1 + i', iterator: null } },
  ],
  [
    'a loop',
    { type: 'loop', iterator: 'k', expression: 'For(i)' },
    { type: 'LOOP', properties: { expression: null, iterator: 'k', size: null } },
  ],
])(
  'the log shows %s that could not be evaluated at its position, in both APIs',
  async (_, operator, shownAs) => {
    const { id, runId } = await logged(
      workflow(
        [method('0_0', `${remote.url}/in`)],
        [loop('0', 3, 'i'), { id: 'c', index: '0_1', ...operator }],
      ),
    );
    const [outer] = await children(`${runId}-1`);
    expect(shown([outer])).toEqual(['LOOP 0 [] FAIL']);
    const [, failed] = await children(outer.id);
    const {
      error: { stepId, index, loopIndex, code, message },
    } = await service.field(
      'query($id: ID!) { run(id: $id) { error { stepId index loopIndex code message } } }',
      { id: runId },
    );
    expect({ stepId, index, loopIndex }).toEqual({ stepId: 'c', index: '0_1', loopIndex: [0] });
    expect(failed).toMatchObject({
      ...shownAs,
      status: 'FAIL',
      indexPath: '0_1',
      segment: null,
      error: {
        code,
        message,
        stack_trace: [
          `${code}: ${message}`,
          'at step c (0_1), turn 0',
          expect.any(String),
          `at run ${runId}`,
        ],
      },
    });
    expect(await service.body('GET', `/api/execution/log/element/${failed.id}/details`)).toEqual(
      failed,
    );
    expect(await children(failed.id)).toEqual([]);
    const [, again] = await service.field(GRAPH, { parent: outer.id, first: 100 });
    expect(again).toMatchObject({
      elementId: failed.id,
      state: 'FAIL',
      index: '0_1',
      loopIndex: [0],
      result: null,
      error: { code, message },
    });
    expect(await service.body('GET', `/api/execution/${runId}`)).toMatchObject({
      error: { index: '0_1', loopIndex: [0] },
    });
    const [root] = await children(runId);
    expect(root.error.stack_trace[1]).toBe('at step c (0_1), try 1, turn 0');
    for (const [query, count] of [
      ['&status=FAIL', 2],
      [`&text=${code}`, 1],
      ['&step=c&status=COMPLETE', 0],
    ] as const) {
      const { status, body } = await service.api(
        'GET',
        `/api/execution/logs/search?connectionId=${id}${query}`,
      );
      expect([query, status, body.length]).toEqual([query, 200, count]);
    }
  },
);

longIt('the log search finds texts in stored request and response bodies', async () => {
  const long = 'x'.repeat(200_000);
  answer = (path) =>
    path === '/out'
      ? { body: { found: 'In the ANSWER of "Ünter"', long, last: 'behind the cut' } }
      : { headers: { 'x-only-in-header': 'beside' }, body: { token: 'not-shown-token-123' } };
  const { id } = await logged(
    workflow([method('0', `${remote.url}/in`), method('1', `${remote.url}/out`)]),
  );
  const search = async (text: string, more = ''): Promise<string[]> => {
    const { status, body } = await service.api(
      'GET',
      `/api/execution/logs/search?connectionId=${id}&text=${encodeURIComponent(text)}${more}`,
    );
    expect([text, status]).toEqual([text, 200]);
    const logSearch = await service.field(
      'query($id: ID!, $text: String!) { logSearch(search: { workflowId: $id, text: $text }) { nodes { index } } }',
      { id: String(id), text },
    );
    if (more === '')
      expect(logSearch.nodes.map(({ index }: any) => index)).toEqual(
        body.map(({ indexPath }: any) => indexPath),
      );
    return body.map(({ indexPath }: any) => indexPath);
  };
  for (const text of ['in the answer', '"ünter', ' In the ANSWER of ', '"found":"In'])
    expect([text, await search(text)]).toEqual([text, ['1']]);
  for (const text of [
    'behind the cut',
    'beside',
    'not-shown-token-123',
    'durationMs',
    'StepFinished',
  ])
    expect([text, await search(text)]).toEqual([text, []]);
  expect(await search('answer', '&type=OPERATION&status=COMPLETE')).toEqual(['1']);
  for (const more of ['&type=LOOP', '&status=FAIL', '&step=m0'])
    expect([more, await search('answer', more)]).toEqual([more, []]);
});

it('the raw log contains one line for each event', async () => {
  const { runId } = await logged(nested());
  const { status, headers, text } = await service.api('GET', `/api/execution/${runId}/raw/log`);
  expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    'application/octet-stream',
    `attachment; filename="execution-${runId}.log"`,
  ]);
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, nth) => nth + 1));
  expect([events[0].kind, events.at(-1)]).toMatchObject([
    'RunStarted',
    { kind: 'RunFinished', state: 'SUCCEEDED' },
  ]);
});

longIt('the log search covers the runs of a workflow, newest first', async () => {
  const { id, runId: first } = await logged(nested());
  answer = (path) => (path === '/last' ? { status: 500, body: {} } : { body: {} });
  const second = await started(service, id, true);
  await ended(service, second);
  const search = async (query: string): Promise<string[]> => {
    const { status, body } = await service.api(
      'GET',
      `/api/execution/logs/search?connectionId=${id}${query}`,
    );
    expect([query, status]).toEqual([query, 200]);
    return body.map(
      ({ executionId, indexPath, properties: { loopIndex } }: any) =>
        `${executionId === first ? 'first' : 'second'} ${indexPath} [${loopIndex}]`,
    );
  };
  expect(await search('&text=THE FIRST')).toEqual(['second 0 []', 'first 0 []']);
  expect(await search('&text=%2Flast&type=OPERATION')).toEqual(['second 2 []', 'first 2 []']);
  expect(await search('&status=FAIL')).toEqual(['second 2 []']);
  expect(await search('&text=HTTP_STATUS')).toEqual(['second 2 []']);
  expect(await search('&step=m1_1')).toEqual(
    ['second', 'first'].flatMap((run) => [0, 1, 2].map((i) => `${run} 1_1 [${i}]`)),
  );
  expect(await search('&step=1&type=LOOP')).toEqual(['second 1 []', 'first 1 []']);
  expect(await search('&text=nowhere')).toEqual([]);
  // Common text of all methods is not searched; the verb occurs in an error message.
  expect([await search('&text=HTTP_REQUEST'), await search('&text=get')]).toEqual([
    [],
    ['second 2 []'],
  ]);
  for (const field of ['text', 'step']) {
    expect(await search(`&${field}=${encodeURIComponent('\u{1f511}'.repeat(200))}`)).toEqual([]);
    expect(
      await service.api(
        'GET',
        `/api/execution/logs/search?connectionId=${id}&${field}=${'x'.repeat(201)}`,
      ),
    ).toMatchObject({ status: 400, body: { message: 'BAD_REQUEST' } });
  }
  expect(await search(`&before=1000`)).toEqual([]);
  expect((await search('&from=1000&step=0')).length).toBe(2);

  const all = await search('');
  const paged: any[] = [];
  for (
    let path: string | undefined = `/api/execution/logs/search?connectionId=${id}&first=4`;
    path;
  ) {
    const page = await service.api('GET', path);
    paged.push(...page.body);
    path = /, <[^>]*?(\/api[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(paged.map(({ id: elementId }) => elementId)).toHaveLength(all.length);
  expect(new Set(paged.map(({ id: elementId }) => elementId)).size).toBe(all.length);
  const logSearch = await service.field(
    'query($id: ID!) { logSearch(search: { workflowId: $id, states: [FAIL], types: [OPERATION] }) { nodes { name run { databaseId } } } }',
    { id },
  );
  expect(logSearch.nodes).toEqual([{ name: 'call 2', run: { databaseId: second } }]);
});

it('the log search in GraphQL covers all workflows, by cursors, or one', async () => {
  const name = unique('searched');
  const twoCalls = () =>
    workflow([
      { ...method('0', `${remote.url}/a`), name },
      { ...method('1', `${remote.url}/b`), name },
    ]);
  const [older, newer] = [await logged(twoCalls()), await logged(twoCalls())];
  const search = (after: string | null, workflowId?: number, token?: string): Promise<any> =>
    service.field(
      'query($search: LogSearchInput!, $after: String) { logSearch(search: $search, first: 3, after: $after) { edges { cursor node { index run { databaseId } } } nodes { index } pageInfo { hasNextPage hasPreviousPage endCursor } } }',
      { search: { text: name, workflowId }, after },
      token,
    );
  const shown = ({ edges }: any): unknown[] =>
    edges.map(({ node: { index, run } }: any) => [run.databaseId, index]);
  const first = await search(null);
  expect(shown(first)).toEqual([
    [newer.runId, '0'],
    [newer.runId, '1'],
    [older.runId, '0'],
  ]);
  expect(first.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    endCursor: first.edges[2].cursor,
  });
  const next = await search(first.pageInfo.endCursor);
  expect(shown(next)).toEqual([[older.runId, '1']]);
  expect(next.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  expect(shown(await search(null, older.id))).toEqual([
    [older.runId, '0'],
    [older.runId, '1'],
  ]);
  await expect(search(first.pageInfo.endCursor, older.id)).rejects.toThrow('of another');
  const { token } = await service.userWith(['CONNECTION:UPDATE']);
  expect(shown(await search(null, undefined, token))).toEqual([]);
});

longIt('the list of log files is paged without duplicates', async () => {
  answer = () => ({ status: 418, body: {} });
  const { id, runId: first } = await logged(workflow([method('0', `${remote.url}/in`)]));
  const runIds = [first];
  for (let nth = 1; nth < 6; nth += 1) {
    if (nth === 3) answer = () => ({ body: {} });
    runIds.unshift(await started(service, id, true));
    await ended(service, runIds[0] ?? 0);
  }
  // A successful run has no log; three runs start in the same millisecond.
  runIds.splice(2, 1);
  await storeConnection()
    .collection<any>('runs')
    .updateMany({ _id: { $in: runIds.slice(1, 4) } }, { $set: { queuedAt: new Date() } });
  const list = `/api/execution/log-files?connectionId=${id}&schedulerId=-1`;
  const full = await service.api('GET', list);
  expect(await service.body('GET', `${list}&status=-1`)).toEqual(full.body);
  const names: string[] = full.body.result;
  expect(names.map((name) => Number(/_(\d+)\.log$/.exec(name)?.[1])).sort()).toEqual(
    [...runIds].sort(),
  );
  expect(full.headers.get('link')).toBe(`<${service.url}${list}&first=1000>; rel="self"`);
  for (const size of [1, 2, 5]) {
    const pages: string[][] = [];
    for (let path: string | undefined = `${list}&first=${size}`; path;) {
      const { body, headers } = await service.api('GET', path);
      pages.push(body.result);
      path = /, <[^>]*?(\/api[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(pages.slice(0, -1).every(({ length }) => length === size)).toBe(true);
    expect(pages.flat()).toEqual(names);
  }
  // A removed log still works as a cursor.
  await storeConnection()
    .collection<any>('runs')
    .updateOne({ _id: Number(/_(\d+)\.log$/.exec(names[1] ?? '')?.[1]) }, { $unset: { logOf: 1 } });
  expect((await service.api('GET', `${list}&status=f&after=${names[1]}`)).body.result).toEqual(
    names.slice(2).filter((name) => name.includes('_f_')),
  );
  for (const none of [
    'x',
    (names[0] ?? '').replace(/_[sf]_/, (was) => (was === '_s_' ? '_f_' : '_s_')),
  ])
    expect(await service.api('GET', `${list}&after=${none}`)).toMatchObject({
      status: 404,
      body: { message: 'LOG_FILE_NOT_FOUND' },
    });
  const { token } = await service.userWith(['CONNECTION:READ']);
  const { run } = await service.mutate('testRunStart', { workflowId: id }, 'run { databaseId }');
  await ended(service, run.databaseId);
  const [test] = (await service.api('GET', `${list}&first=1`)).body.result;
  expect(await service.status('GET', `${list}&after=${test}`, { token })).toBe(404);
  for (const wrong of [0, 1_001, 'a'])
    expect(await service.status('GET', `${list}&first=${wrong}`)).toBe(400);
});

it('a test has no log after 7 days, even before its removal', async () => {
  const {
    run: { databaseId, logging },
  } = await service.mutate(
    'testRunStart',
    { workflowId: await saved(service, nested()) },
    'run { databaseId logging }',
  );
  expect(logging).toBe(true);
  await ended(service, databaseId);
  const readHasLog = async () => [
    (await service.field('query($id: ID!) { run(id: $id) { hasLog } }', { id: databaseId })).hasLog,
    (await service.api('GET', `/api/execution/${databaseId}`)).body.hasLog,
  ];
  const read = async () =>
    (await service.api('GET', `/api/execution/log/element/${databaseId}/children`)).body.message ??
    'there';
  expect([await readHasLog(), await read()]).toEqual([[true, true], 'there']);
  await storeConnection()
    .collection<any>('runs')
    .updateOne(
      { _id: databaseId },
      { $set: { queuedAt: new Date(Date.now() - 7 * 24 * 3_600_000) } },
    );
  expect([await readHasLog(), await read()]).toEqual([[false, false], 'RUN_LOG_GONE']);
});

it('the log requires the permission to read the run', async () => {
  const { run } = await service.mutate(
    'testRunStart',
    { workflowId: await saved(service, nested()) },
    'run { databaseId }',
  );
  await ended(service, run.databaseId);
  const colleague = await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
  const outsider = await service.userWith(['USER:READ']);
  const paths = [
    `log/element/${run.databaseId}/children`,
    `log/element/${run.databaseId}-2/details`,
    `${run.databaseId}/raw/log`,
  ];
  for (const path of paths) {
    expect([path, await service.status('GET', `/api/execution/${path}`)]).toEqual([path, 200]);
    expect(
      await service.api('GET', `/api/execution/${path}`, { token: colleague.token }),
    ).toMatchObject({ status: 404, body: { message: 'EXECUTION_NOT_FOUND' } });
    expect([
      path,
      await service.status('GET', `/api/execution/${path}`, { token: outsider.token }),
    ]).toEqual([path, 403]);
  }
  const files = async (token?: string): Promise<string[]> =>
    (await service.api('GET', '/api/execution/log-files', { token })).body.result;
  expect((await files()).some((name) => name.endsWith(`_${run.databaseId}.log`))).toBe(true);
  expect(
    (await files(colleague.token)).some((name) => name.endsWith(`_${run.databaseId}.log`)),
  ).toBe(false);
});

longIt('the log returns errors for unknown elements and runs without a log', async () => {
  const id = await saved(service, nested());
  const runId = await started(service, id);
  await ended(service, runId);
  expect(await service.api('GET', `/api/execution/log/element/${runId}/children`)).toMatchObject({
    status: 410,
    body: { message: 'RUN_LOG_GONE' },
  });
  const { runId: existingId } = await logged(nested());
  for (const wrong of [
    'x',
    '0',
    '-1',
    `${existingId}-`,
    `${existingId}-0`,
    `${existingId}-3`,
    `${existingId}-99999`,
    '99999999999',
    '%00',
    `${'9'.repeat(500)}`,
  ]) {
    for (const part of ['children', 'details']) {
      expect([
        wrong,
        await service.api('GET', `/api/execution/log/element/${wrong}/${part}`),
      ]).toMatchObject([wrong, { status: 404, body: { message: 'LOG_ELEMENT_NOT_FOUND' } }]);
    }
    expect(JSON.stringify((await service.gql(DETAILS, { id: wrong })).errors)).toContain(
      'LOG_ELEMENT_NOT_FOUND',
    );
  }
  for (const query of ['?first=0', '?first=1001', '?loopIndex=', '?loopIndex=-1', '?loopIndex=a'])
    expect(
      await service.status('GET', `/api/execution/log/element/${existingId}/children${query}`),
    ).toBe(400);
  for (const first of [0, -1, 1_001])
    expect(
      JSON.stringify((await service.gql(GRAPH, { parent: String(existingId), first })).errors),
    ).toContain('BAD_USER_INPUT');
  expect(
    await service.status(
      'GET',
      `/api/execution/log/element/${existingId}/children?after=${existingId + 1}-2`,
    ),
  ).toBe(404);
  for (const name of ['x', '../../etc/passwd', `2025-01-01_00-00_1_s_${existingId}.log`])
    expect(
      await service.status(
        'GET',
        `/api/execution/logs/children?fileName=${encodeURIComponent(name)}`,
      ),
    ).toBe(404);
});
