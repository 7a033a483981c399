import fc from 'fast-check';
import type { OutboundRequest, RunConnector } from '../../../src/engine';
import { colorOf, httpStep, ofKind, reference, runWith, workflow } from '../support/run';
import { rounds } from '../../support/rounds';

/** Texts with a special meaning somewhere in a workflow. */
const MARKS = [
  '{%#000000.(response).body.a%}',
  '#000000.(response).body.a',
  '{%secret.key%}',
  '${name:string}',
  '${a.b[0]}',
  '{token}',
  '{#3.token}',
  '@{offset}',
  '#{%507f1f77bcf86cd799439011%}',
  '__oc__value',
  '" OR 1 = 1 OR "',
  '1 + 1',
  '</a><b>',
  '&lt;',
  ']]>',
  '%7B',
  '\\"',
  "')]",
  '\r\n',
  '../',
  '?x=1&y',
  '{',
  '}',
  '%',
  '#',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...MARKS), fc.string({ maxLength: 5 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));

const connector: RunConnector = {
  id: 3,
  title: 'Remote',
  verifyTls: true,
  timeoutMs: 0,
  values: { token: 'THE-TOKEN' },
  origins: ['http://remote'],
  fieldOrigins: { token: ['http://remote'] },
  suspended: [],
  invokerName: 'I',
  invoker: {
    name: 'I',
    requiredData: [{ name: 'token', type: 'string', visibility: 'protected', value: '' }],
    pagination: [],
    operations: [
      {
        name: 'Op',
        type: 'page',
        request: { endpoint: 'http://remote/op', method: 'POST', header: [], body: null },
        success: null,
        fail: null,
        pagination: [
          { name: 'result', action: null, ref: 'response.body.$', value: '' },
          { name: 'offset', action: null, ref: null, value: '5' },
        ],
      },
    ],
  },
};

/** A workflow that reads a text from an answer and inserts it wherever a text is allowed. */
const snapshot = (() => {
  const valueReference = reference('0', '(response).body.a');
  const everywhere = { header: { 'X-Data': `<${valueReference}>` } };
  const url = `http://remote/target/${valueReference}?q=${valueReference}&n=1`;
  const body = (format: string, fields: unknown) => ({
    type: 'object',
    format,
    data: 'raw',
    fields,
  });
  const call = { name: 'Op', methodType: 'CONNECTOR', connector: { connectorId: 3 } };
  return workflow(
    httpStep('0', 'http://remote/data'),
    httpStep('1', url, {
      request: {
        method: 'POST',
        ...everywhere,
        body: body('json', {
          whole: valueReference,
          mixed: `a ${valueReference} b`,
          list: [valueReference],
        }),
      },
    }),
    httpStep('2', url, {
      request: {
        method: 'POST',
        body: body('x-www-form-urlencoded', {
          whole: valueReference,
          mixed: `a ${valueReference} b`,
        }),
      },
    }),
    httpStep('3', url, {
      ...call,
      request: {
        endpoint: url,
        method: 'POST',
        ...everywhere,
        body: body('json', {
          whole: valueReference,
          mixed: `a ${valueReference} b`,
          again: `{%${colorOf('1')}.(request).mixed%}`,
        }),
      },
    }),
    {
      id: 'o4',
      index: '4',
      type: 'if',
      expression: `${valueReference} = ${reference('1', '(request).whole')}`,
    },
    httpStep('4_0', 'http://remote/equal'),
  );
})();

it('data from an answer is never evaluated, wherever it is inserted', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const sent: OutboundRequest[] = [];
      const http = {
        send: async (request: OutboundRequest) => {
          sent.push(request);
          const answer = request.url.endsWith('/data') ? { a: value } : [];
          return {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(JSON.stringify(answer)),
          };
        },
      };
      const secrets = new Map([
        ['key', { name: 'key', value: 'THE-SECRET', origins: ['http://remote'] }],
      ]);
      const result = await runWith(snapshot, {
        http,
        secrets,
        connectors: new Map([[3, connector]]),
      });
      if (result.error !== undefined) {
        // The text is rejected instead of changed, and does not appear in any output.
        expect(['REQUEST_HEADER_UNSAFE', 'REQUEST_URL_UNSAFE']).toContain(result.error.code);
        expect(/[\r\n\0]|^\s*(?:\.|%2e){1,2}\s*$/i.test(value)).toBe(true);
        return;
      }
      const [, json, form, connected, equal] = sent;
      for (const request of [json, form, connected]) {
        const { pathname, searchParams } = new URL(request?.url ?? '');
        expect(decodeURIComponent(pathname)).toBe(`/target/${value.toWellFormed()}`);
        expect([...searchParams]).toEqual([
          ['q', value.toWellFormed()],
          ['n', '1'],
        ]);
      }
      expect(JSON.parse(String(json?.body))).toEqual({
        whole: value,
        mixed: `a ${value} b`,
        list: [value],
      });
      expect([...new URLSearchParams(String(form?.body))]).toEqual([
        ['whole', value.toWellFormed()],
        ['mixed', `a ${value} b`.toWellFormed()],
      ]);
      expect(JSON.parse(String(connected?.body))).toEqual({
        whole: value,
        mixed: `a ${value} b`,
        again: `a ${value} b`,
      });
      expect(equal?.url).toBe('http://remote/equal');
      for (const request of sent)
        expect(
          `${request.url}${JSON.stringify(request.headers)}${String(request.body)}`,
        ).not.toMatch(/THE-SECRET|THE-TOKEN/);
      expect(ofKind(result, 'StepFinished')).toHaveLength(5);
    }),
    { numRuns: rounds(150) },
  );
});
