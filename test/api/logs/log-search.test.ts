import fc from 'fast-check';
import type { RunEvent } from '../../../src/engine';
import { elementLine } from '../../../src/features/runs/logs/element-line';
import { elementsIn } from '../../../src/features/runs/logs/element-scan';
import type { ElementPart, FoundElement } from '../../../src/features/runs/logs/element-line';
import { BodySearch, matcherOf } from '../../../src/features/runs/logs/log-search';
import type { LogSearch } from '../../../src/features/runs/logs/log-search';
import { matches } from '../../../packages/embedded-mongo/test/support/filter';
import { rounds } from '../../support/rounds';

const WORDS = [
  'm1',
  'm10',
  '1',
  '1_0',
  'FAILED',
  'L ',
  'Ünter',
  'STRASSE',
  'straße',
  'a"b',
  'line\nbreak',
  'S 1 1',
  '\u2028',
  'İ',
  'ok',
  'POST',
  'http',
  '\\',
  'Größe…',
  'u\u0308nter',
  'ΟΣ',
] as const;
const word = fc.constantFrom(...WORDS);
const oneOf = fc.record({
  kind: fc.constantFrom('step', 'if', 'loop', 'refused if', 'refused loop'),
  index: fc.constantFrom('1', '1_0', '2'),
  id: word,
  text: word,
  state: fc.constantFrom('SUCCEEDED', 'FAILED', 'CANCELLED'),
  ends: fc.boolean(),
  warnings: fc.array(word, { maxLength: 2 }),
});
type Warned = typeof oneOf extends fc.Arbitrary<infer T> ? T : never;
type One = Omit<Warned, 'warnings'>;

function warnedEventsOf({ warnings, ...one }: Warned): RunEvent[] {
  const { id, index, text } = one;
  const [begin, ...others] = eventsOf(one);
  const logs = warnings.map((key): RunEvent => {
    const place = { stepId: id, index, loopIndex: [] };
    return { kind: 'RunLog', level: 'WARN', ...place, message: text, path: id, keys: [key] };
  });
  return begin === undefined ? [] : [begin, ...logs, ...others];
}

function eventsOf({ kind, index, id, text, state, ends }: One): RunEvent[] {
  const place = { stepId: id, index, loopIndex: [] };
  if (kind === 'if')
    return [{ kind: 'ConditionEvaluated', ...place, expression: text, result: true }];
  if (kind === 'loop') return [{ kind: 'LoopStarted', ...place, iterator: text, size: 1 }];
  if (kind.startsWith('refused')) {
    const operator = kind === 'refused if' ? 'if' : 'loop';
    return [
      {
        kind: 'OperatorFailed',
        ...place,
        operator,
        expression: text,
        iterator: operator === 'if' ? null : text,
        error: { code: 'EXPRESSION_TYPE_MISMATCH', message: id },
      },
    ];
  }
  const step = { ...place, name: text, methodType: 'HTTP_REQUEST', attempt: 1 };
  const begun: RunEvent = { kind: 'StepStarted', ...step, label: null, connector: null };
  const error = state === 'FAILED' ? { code: 'HTTP_STATUS_ERROR', message: text } : null;
  return ends
    ? [
        begun,
        {
          kind: 'StepFinished',
          ...step,
          state: state as 'FAILED',
          statusCode: null,
          durationMs: 1,
          error,
          ...(error === null && {
            request: { url: text, method: 'POST', header: {}, payload: '' },
          }),
        },
      ]
    : [begun];
}

/** @param hits sequences of events whose bodies match */
async function* partsOf(
  lines: readonly string[],
  size: number,
  hits: readonly number[] = [],
): AsyncGenerator<ElementPart> {
  for (let from = 0; from < lines.length; from += size) {
    const inBodies = new Set(hits.filter((sequence) => sequence > from && sequence <= from + size));
    yield {
      last: from + size,
      elements: lines.slice(from, from + size).join('\n'),
      ...(inBodies.size > 0 && { inBodies }),
    };
  }
}

async function findElements(
  parts: AsyncIterable<ElementPart>,
  search: LogSearch,
  skips: boolean,
): Promise<FoundElement[]> {
  const matches = matcherOf(search);
  const all: FoundElement[] = [];
  for await (const one of elementsIn(parts, 1, skips ? matches : {}))
    if (matches.lines(one)) all.push(one);
  return all;
}

it('a log search reads every part that contains a match', async () => {
  const search = fc.record({
    text: fc.option(
      fc.oneof(word, fc.constantFrom(',', '"', '1', 'succeeded', ' [', 'HTTP_REQUEST', 'm')),
    ),
    step: fc.option(word),
    states: fc.option(fc.subarray(['COMPLETE', 'FAIL', 'PENDING'] as const, { minLength: 1 })),
    types: fc.option(fc.subarray(['OPERATION', 'IF', 'LOOP'] as const, { minLength: 1 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(oneOf, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      search,
      fc.array(fc.integer({ min: 1, max: 24 })),
      async (ones, size, logSearch, numbers) => {
        // A run executes one step at a time, so only the last can be unfinished.
        const events = ones.flatMap((one, nth) =>
          warnedEventsOf({ ...one, ends: one.ends || nth < ones.length - 1 }),
        );
        const lines = events.map(
          (event, nth) => elementLine(event, { sequence: nth + 1, at: new Date(0) }) ?? '',
        );
        const hits = logSearch.text === null ? [] : numbers;
        const [read, expected] = [
          await findElements(partsOf(lines, size, hits), logSearch, true),
          await findElements(partsOf(lines, lines.length || 1, hits), logSearch, false),
        ];
        // A condition is always complete, but its lines do not show it.
        const isComplete = ({ begin }: FoundElement): boolean =>
          begin.kind === 'I' && logSearch.states !== null && !logSearch.states.includes('COMPLETE');
        expect(read.filter((one) => !isComplete(one))).toEqual(
          expected.filter((one) => !isComplete(one)),
        );
      },
    ),
    { numRuns: rounds(3_000) },
  );
});

it.each(['POST', 'm1', '1_0', '","'])(
  'a log search ignores %s outside the searched fields',
  (text) => {
    const place = {
      stepId: 'm1',
      index: '1_0',
      loopIndex: [],
      name: 'Die "geprüfte" Straße…',
      methodType: 'HTTP_REQUEST',
      attempt: 1,
    };
    const lines = (
      [
        { kind: 'StepStarted', ...place, label: null, connector: { id: 7, title: 'POS' } },
        {
          kind: 'StepFinished',
          ...place,
          state: 'SUCCEEDED',
          statusCode: 200,
          durationMs: 1,
          error: null,
          request: { url: 'https://remote.example/', method: 'POST', header: {}, payload: '' },
        },
        {
          kind: 'ConditionEvaluated',
          stepId: 'm1',
          index: '1',
          loopIndex: [],
          expression: 'a = b',
          result: true,
        },
      ] as RunEvent[]
    ).map((event, nth) => elementLine(event, { sequence: nth + 1, at: new Date(0) }) ?? '');
    const mayHold = (text: string): boolean =>
      matcherOf({ text }).mayHold({ last: 3, elements: lines.join('\n') });
    expect([
      mayHold(text),
      mayHold('remote'),
      mayHold('"GEPRÜFTE" strasse...'),
      mayHold('a = b'),
      mayHold('pos'),
    ]).toEqual([false, true, true, true, true]);
  },
);

it.each(['m1', 'ok', '1_0'])(
  'a log search finds the step %s by its response text for every part size',
  async (step) => {
    const one = {
      kind: 'step',
      index: '1_0',
      id: 'm1',
      text: 'ok',
      state: 'SUCCEEDED',
      ends: true,
    } as const;
    const lines = [{ ...one, index: '2', id: 'm10', text: 'a"b' } as const, one]
      .flatMap(eventsOf)
      .map((event, nth) => elementLine(event, { sequence: nth + 1, at: new Date(0) }) ?? '');
    for (const size of [1, 2, 3, 4]) {
      expect(
        (await findElements(partsOf(lines, size, [2, 4]), { step, text: 'needle' }, true)).map(
          ({ begin, inBodies }) => [begin.sequence, inBodies],
        ),
      ).toEqual([[3, true]]);
    }
  },
);

it('a body search matches only the bodies of events', () => {
  const texts = [
    '',
    'payload',
    '"payload":"',
    'Straße {"a":1}',
    'line\nbreak\\',
    'durationMs',
    'x"},"response":{"y',
    '\u2028Ü',
    'a+b.c[d]',
  ] as const;
  const body = fc
    .array(fc.constantFrom(...texts), { maxLength: 3 })
    .map((parts) => parts.join(' '));
  const segments = fc.record({
    header: body,
    request: fc.option(body),
    response: fc.option(body),
    name: body,
  });
  const needle = fc
    .oneof(
      fc.constantFrom(
        ...texts.slice(1),
        'STRASSE',
        'straße',
        '\u2028ü',
        '"A":1',
        'BREAK\\',
        'A+B.C',
        'a+bxc',
      ),
      body.filter((text) => text.trim() !== ''),
    )
    .map((text) => text.trim());
  fc.assert(
    fc.property(
      fc.array(segments, { maxLength: 6 }),
      needle,
      fc.integer({ min: 1, max: 9 }),
      (all, text, first) => {
        const bodies = all.map(({ header, request, response, name }) =>
          JSON.stringify({
            kind: 'StepFinished',
            name,
            durationMs: 1,
            error: null,
            ...(request !== null && {
              request: { url: name, method: 'GET', header: { payload: header }, payload: request },
            }),
            ...(response !== null && {
              response: { status: 200, durationMs: 1, header: { header }, payload: response },
            }),
          }),
        );
        const events = bodies.map((one) => `1700000000000 ${one}`).join('\n');
        const holds = (one: string | null): boolean =>
          one?.toLowerCase().includes(text.toLowerCase()) ?? false;
        const expected = all.flatMap(({ request, response }, nth) =>
          holds(request) || holds(response) ? [first + nth] : [],
        );
        expect([
          ...new BodySearch(text).in({ first, last: first + all.length - 1, events }),
        ]).toEqual(expected);
        // The pattern for the store must match whenever the search does.
        const pattern = new RegExp(new BodySearch(text).pattern, 'iu');
        if (expected.length > 0) expect(events).toMatch(pattern);
      },
    ),
    { numRuns: rounds(3_000) },
  );
});

it.each([
  'durationMs',
  'POST',
  '200',
  'StepFinished',
  'HTTP_REQUEST',
  'header',
  'application/json',
  'tickets',
  'payload',
  'skipped',
])('a body search does not read events with %s outside their bodies', (text) => {
  const json = { 'content-type': 'application/json' };
  const event = (body: string): string =>
    JSON.stringify({
      kind: 'StepFinished',
      stepId: 'm1',
      index: '0',
      loopIndex: [],
      name: 'list',
      methodType: 'HTTP_REQUEST',
      attempt: 1,
      state: 'SUCCEEDED',
      statusCode: 200,
      durationMs: 1.5,
      error: null,
      request: {
        url: 'https://remote.example/tickets/1',
        method: 'POST',
        header: json,
        payload: body,
      },
      response: { status: 200, durationMs: 1.5, header: json, payload: '{"id": 17}' },
    });
  const others = [
    { kind: 'RunLog', level: 'info', message: 'order 17 skipped' },
    { kind: 'LoopIteration', index: '0', turn: 1, size: 2, value: 'the second' },
  ]
    .map((one) => `1700000000000 ${JSON.stringify(one)}\n`)
    .join('');
  const shown = (body: string): boolean =>
    matches(
      { events: { $regex: new BodySearch(text).pattern, $options: 'i' } },
      { events: `${others}1700000000000 ${event('')}\n1700000000000 ${event(body)}` },
    );
  expect([
    shown(''),
    shown(text),
    shown(`"${text}": 1`),
    shown(`a ${text}\n`),
    shown(`{${text.toUpperCase()}}`),
  ]).toEqual([false, true, true, true, true]);
});
