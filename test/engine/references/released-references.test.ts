import fc from 'fast-check';
import { ExpressionError } from '../../../src/engine';
import { hasFailed } from '../../../src/engine/connector/remote-answer';
import { parseExpression } from '../../../src/engine/expression/parse';
import { printReference } from '../../../src/engine/reference/reference';
import { soleSources } from '../../../src/engine/text/template';
import { validateWorkflowSteps } from '../../../src/engine/plan/validate';
import type { MethodDoc, OutboundRequest } from '../../../src/engine';
import { rounds } from '../../support/rounds';
import { reference as anyReference } from '../support/expressions';
import {
  answering,
  colorOf,
  httpStep,
  jsonBody,
  reference,
  runWith,
  workflow,
} from '../support/run';

const BODY = { a: { b: 1 }, list: [{ n: 1 }, { n: 2 }], '@odata.id': 'x', $: 'dollar' };

interface Sent {
  readonly error: unknown;
  readonly body: unknown;
  readonly headers: OutboundRequest['headers'];
}

/** The request of the second step. */
async function sent(step: MethodDoc, bindings: readonly unknown[] = []): Promise<Sent> {
  const requests: OutboundRequest[] = [];
  const http = answering((request) => {
    requests.push(request);
    return BODY;
  });
  const run = await runWith(
    { ...workflow(httpStep('0', 'http://remote/'), step), fieldBinding: bindings },
    { http },
  );
  const last = requests.at(1);
  return {
    error: run.error,
    body: last?.body === undefined ? null : JSON.parse(String(last.body)),
    headers: last?.headers ?? {},
  };
}

const posting = (fields: unknown, header: Record<string, string> = {}): MethodDoc =>
  httpStep('1', 'http://remote/x', { request: { method: 'POST', header, body: jsonBody(fields) } });
const bare = (path: string): string => `${colorOf('0')}.${path}`;

describe('a reference with a root mark', () => {
  it.each([
    ['(response).body.$.a.b', '(response).body.a.b'],
    ['(response).success.$.list[*].n', '(response).success.list[*].n'],
    ['(response).body.$.list[1].n', '(response).body.list[1].n'],
    ["(response).body.$['@odata.id']", "(response).body['@odata.id']"],
    ['(response).body.$', '(response).body'],
    ['(response).header.$.Content-Type', '(response).header.Content-Type'],
    ["(response).header['Content-Type']", '(response).header.Content-Type'],
    ["(response).header.$['Content-Type']", '(response).header.Content-Type'],
  ])('%s means the same as %s', async (marked, plain) => {
    const { error, body, headers } = await sent(
      posting(
        { marked: bare(marked), plain: bare(plain) },
        { 'X-Marked': reference('0', marked), 'X-Plain': reference('0', plain) },
      ),
    );
    expect(error).toBeUndefined();
    const { marked: actual, plain: expected } = body as { marked: unknown; plain: unknown };
    expect(actual).toEqual(expected);
    expect(actual).not.toBeNull();
    expect(headers['X-Marked']).toBe(headers['X-Plain']);
  });

  it('can read a field with the name of the mark', async () => {
    expect((await sent(posting({ x: bare('(response).body.$.$') }))).body).toEqual({ x: 'dollar' });
  });
});

describe('the grammar of references', () => {
  it('parses every reference that it prints, bare and marked', () => {
    fc.assert(
      fc.property(anyReference, (reference) => {
        const text = printReference(reference);
        expect(soleSources(`{%${text}%}`)).toEqual([{ kind: 'reference', reference }]);
        expect(parseExpression(`{%${text}%}`)).toEqual({ kind: 'reference', reference });
      }),
      { numRuns: rounds(300) },
    );
  });

  it('answers a text that begins like a reference with a reference or an error', () => {
    const pieces = fc.constantFrom(
      '(request)',
      '(response)',
      '.body',
      '.success',
      '.header',
      '.status',
      '.$',
      '.a',
      '..',
      '[',
      ']',
      '*',
      '0',
      "['",
      "']",
      '~',
      '?',
      '@',
      '(',
      ')',
      ' ',
      '%',
      '{',
      '}',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const target = `#AABBCC.(response)${parts.join('')}`;
        // The reference ends there, and more text follows.
        fc.pre(!target.includes('%}'));
        for (const text of [target, `{%${target}%}`]) {
          let kinds: readonly string[] | undefined;
          try {
            kinds = soleSources(text)?.map(({ kind }) => kind) ?? ['text'];
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError);
          }
          for (const kind of kinds ?? []) expect(kind).toBe('reference');
        }
      }),
      { numRuns: rounds(500) },
    );
  });

  it.each([
    '(response).body.$..n',
    '(response).body.list[?(@.n==1)]',
    '(response).body.list[0:1]',
    '(response).bodyy.a',
    '(answer).body.a',
    '(response).header',
    '(response).status.x',
  ])('reports %s at any position', (path) => {
    const copy = {
      from: [{ color: colorOf('0'), type: 'response', field: 'body.$..n' }],
      to: [{ color: colorOf('1'), type: 'request', field: 'x' }],
      enhancement: { language: 'js', expertCode: 'RESULT_VAR = VAR_0;' },
    };
    const step = posting({ x: bare(path) }, { 'X-A': `Bearer ${reference('0', path)}` });
    const condition = {
      id: 'o',
      index: '2',
      type: 'if',
      condition: {
        relationalOperator: '=',
        leftStatement: { color: '', field: '1' },
        rightStatement: { color: '', field: reference('0', path) },
      },
    };
    const problems = validateWorkflowSteps({
      ...workflow(httpStep('0', 'http://remote/'), step, condition),
      fieldBinding: [copy],
    });
    expect(problems.map(({ field, code }) => [field, code])).toEqual(
      expect.arrayContaining([
        ['request.body', 'REFERENCE_SYNTAX'],
        ['request.header.X-A', 'REFERENCE_SYNTAX'],
        ['expression', 'EXPRESSION_SYNTAX'],
      ]),
    );
  });
});

describe('a field binding of the 5.x editor', () => {
  const from = (field: string): object => ({ color: colorOf('0'), type: 'response', field });
  const to = (field: string, type = 'request'): object => ({ color: colorOf('1'), type, field });
  const copy = (source: string, target: object): object => ({
    from: [from(source)],
    to: [target],
    enhancement: { language: 'js', expertVar: '', expertCode: 'RESULT_VAR = VAR_0;' },
  });

  it.each<[string, unknown, object, unknown]>([
    ['a field of the body', { title: 'old', other: 1 }, to('body.title'), { title: 1, other: 1 }],
    ['a field with a root mark', { title: null }, to('body.$.title'), { title: 1 }],
    [
      'a field of each element',
      { rows: [{ a: 0 }, { a: {} }] },
      to('body.rows[i].a'),
      { rows: [{ a: 1 }, { a: 1 }] },
    ],
    ['a field of a body that is a list', [{ a: 0 }], to('body.[*].a'), [{ a: 1 }]],
    ['the whole body', { a: 1 }, to('body'), 1],
    [
      'a field of the field `body`',
      { body: { title: 0 }, title: 0 },
      to('body.title'),
      { body: { title: 1 }, title: 0 },
    ],
    [
      'a field of the field `body`, with both',
      { body: { title: 0 } },
      to('body.body.title'),
      { body: { title: 1 } },
    ],
    ['a field in the notation of the 4.x editor', { title: 'old' }, to('title'), { title: 1 }],
    [
      'a field of a body that has a field `header`',
      { header: { 'X-A': 0 } },
      to('header.X-A'),
      { header: { 'X-A': 1 } },
    ],
  ])('writes %s over any existing value', async (_what, fields, target, expected) => {
    const { error, body } = await sent(posting(fields), [copy('body.a.b', target)]);
    expect([error, body]).toEqual([undefined, expected]);
  });

  it.each([
    ['request', 'header.X-A'],
    ['header', 'header.X-A'],
    ['header', 'header.$.X-A'],
    ['header', 'X-A'],
  ])('writes a header: type %s, field %s', async (type, field) => {
    const { error, headers } = await sent(posting({}, { 'X-A': 'old', 'X-B': 'b' }), [
      copy('status', to(field, type)),
    ]);
    expect([error, headers['X-A'], headers['X-B']]).toEqual([undefined, '200', 'b']);
  });

  it('reads the answer by body, header and status, and by the parts of the 4.x line', async () => {
    for (const [field, value] of [
      ['body.a.b', 1],
      ['header.content-type', 'application/json'],
      ['status', 200],
      ['success.a.b', 1],
      ['body.$.list[*].n', [1, 2]],
      ['a.b', 1],
    ] as const) {
      expect((await sent(posting({ x: 0 }), [copy(field, to('body.x'))])).body).toEqual({
        x: value,
      });
    }
  });
});

describe('a request body that is bare JSON', () => {
  const bodyOf = async (body: unknown): Promise<Sent> =>
    sent(httpStep('1', 'http://remote/x', { request: { method: 'POST', body: body as never } }));

  it.each<[string, unknown, unknown]>([
    ['an object', { Ticket: { Title: bare('(response).body.a.b') } }, { Ticket: { Title: 1 } }],
    ['a list', [{ a: 1 }], [{ a: 1 }]],
    ['an object with a field `fields`', { fields: { summary: 's' } }, { fields: { summary: 's' } }],
    [
      'an object with a field `type`',
      { type: 'incident', format: 'x' },
      { type: 'incident', format: 'x' },
    ],
    [
      'an object with a field `format` and others',
      { type: 'object', format: 'A4', name: 'n' },
      { type: 'object', format: 'A4', name: 'n' },
    ],
  ])('is sent as its fields: %s', async (_what, body, expected) => {
    const { error, body: received, headers } = await bodyOf(body);
    expect([error, received, headers['Content-Type']]).toEqual([
      undefined,
      expected,
      'application/json',
    ]);
  });

  it('is not recognised when it has a body type and no format', async () => {
    expect((await bodyOf({ type: 'object', data: 'raw', fields: { a: 1 } })).body).toEqual({
      a: 1,
    });
  });
});

it('a media type as body data is the content type when no header sets one', async () => {
  const patch = (header: Record<string, string>): MethodDoc =>
    httpStep('1', 'http://remote/x', {
      request: {
        method: 'PATCH',
        header,
        body: {
          type: 'array',
          format: 'json',
          data: 'application/json-patch+json',
          fields: [{ op: 'test' }],
        },
      },
    });
  expect((await sent(patch({}))).headers['Content-Type']).toBe('application/json-patch+json');
  expect((await sent(patch({ 'Content-Type': 'application/json' }))).headers['Content-Type']).toBe(
    'application/json',
  );
});

it.each([
  [200, { id: 1 }, false],
  [200, { error: 'x' }, true],
  [201, {}, false],
  [400, {}, true],
  [404, { id: 1 }, true],
  [302, {}, true],
  [500, {}, true],
])(
  'an answer of %d with %j matches the failure of its status: failed is %s',
  (status, body, failed) => {
    const result = (code: string, value: object) => ({
      status: code,
      body: { type: 'object', format: 'json', data: 'raw', value },
    });
    const fails = [result('400', {}), result('200', { error: '' }), result('302', {})];
    expect(
      hasFailed({ success: result('200', { id: '' }), fail: fails[0], fails }, status, body),
    ).toBe(failed);
  },
);
