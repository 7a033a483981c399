import { httpStep, ofKind, runWith, workflow } from './support/run';
import type { OutboundRequest, RunOptions } from '../../src/engine';

/** The received value for a mark that is a whole body field. */
async function read(mark: string, parameters: RunOptions['parameters']): Promise<unknown> {
  const sent: OutboundRequest[] = [];
  const http = {
    send: async (request: OutboundRequest) => {
      sent.push(request);
      return { status: 200, headers: {}, body: Buffer.alloc(0) };
    },
  };
  const result = await runWith(
    workflow(
      httpStep('0', 'http://remote/', {
        request: {
          method: 'POST',
          body: { type: 'object', format: 'json', data: 'raw', fields: { value: mark } },
        },
      }),
    ),
    { http },
    { parameters },
  );
  return result.error === undefined
    ? (JSON.parse(String(sent[0]?.body)) as { value: unknown }).value
    : result.error.code;
}

const PARAMETERS = {
  id: '42',
  long: '12345678901234567890',
  half: '1.5',
  yes: 'TRUE',
  one: 'a',
  list: '[1,"b"]',
  map: '{"a":[1]}',
  real: { deep: [{ name: 'Ann' }], n: 7, b: false },
  mark: '${id} {%#000000.(response).body%}',
};

it.each<[string, unknown]>([
  ['${id}', '42'],
  ['${id:string}', '42'],
  ['${id:number}', 42],
  ['${id:integer}', 42],
  ['${half:number}', 1.5],
  ['${yes:boolean}', true],
  ['${one:array}', ['a']],
  ['${list:array}', [1, 'b']],
  ['${map:object}', { a: [1] }],
  ['${map:string}', '{"a":[1]}'],
  ['${real.deep[0].name}', 'Ann'],
  ['${real.n:string}', '7'],
  ['${real.b:boolean}', false],
  ['${real:object}', PARAMETERS.real],
  ['${id:undefined}', '42'],
  ['${nobody}', null],
  ['${nobody:number}', null],
  ['${real.nobody.x:integer}', null],
  ['${mark}', PARAMETERS.mark],
  ['a ${id} b', 'a 42 b'],
  ['${constructor}', null],
  ['${half:integer}', 'WEBHOOK_PARAMETER_INVALID'],
  ['${one:number}', 'WEBHOOK_PARAMETER_INVALID'],
  ['${one:boolean}', 'WEBHOOK_PARAMETER_INVALID'],
  ['${list:object}', 'WEBHOOK_PARAMETER_INVALID'],
])('the webhook parameter %s is %j', async (mark, value) => {
  expect(await read(mark, PARAMETERS)).toEqual(value);
});

it('a webhook parameter is null in a run without a webhook', async () => {
  expect(await read('${id:integer}', undefined)).toBeNull();
});

it('a webhook parameter keeps exact integers, can be used in expressions, and masks secrets', async () => {
  const sent: string[] = [];
  const http = {
    send: async ({ url }: OutboundRequest) => {
      sent.push(url);
      return { status: 200, headers: {}, body: Buffer.alloc(0) };
    },
  };
  const result = await runWith(
    workflow(
      { id: 'o0', index: '0', type: 'if', expression: '${id:integer} + 1 = 43' },
      httpStep('0_0', 'http://remote/${long:integer}?t=${token}', {}),
      { id: 'o1', index: '1', type: 'loop', expression: 'For(${list:array})', iterator: 'i' },
      httpStep('1_0', 'http://remote/${real.deep[i].name}'),
    ),
    { http },
    { parameters: { ...PARAMETERS, token: 'geheim-token-1' } },
  );
  expect(sent).toEqual([
    'http://remote/12345678901234567890?t=geheim-token-1',
    'http://remote/Ann',
    'http://remote/',
  ]);
  expect(ofKind(result, 'StepFinished')[0]?.request?.url).toBe(
    'http://remote/12345678901234567890?t=***',
  );
  expect(JSON.stringify(result.events)).not.toContain('geheim');
});
