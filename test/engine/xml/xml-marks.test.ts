import {
  answering,
  colorOf,
  httpStep,
  jsonBody,
  reference,
  runWith,
  workflow,
} from '../support/run';
import type { OutboundRequest } from '../../../src/engine';

/* How field bindings and references name the parts of an XML request body. */

const FIELDS = {
  's:Envelope': {
    __oc__attributes: { 'xmlns:s': 'urn:soap', version: '1' },
    __oc__value: {
      's:Body': {
        order: { __oc__attributes: { id: '7', 'o:state': 'open' }, __oc__value: 'text' },
        own: { '@id': '8', name: 'n' },
        line: [
          { __oc__attributes: { no: '1' }, __oc__value: 'a' },
          { __oc__attributes: { no: '2' }, __oc__value: 'b' },
        ],
        plain: 'p',
      },
    },
  },
};
const SENT =
  '<s:Envelope xmlns:s="urn:soap" version="1"><s:Body><order id="7" o:state="open">text</order><own id="8"><name>n</name></own><line no="1">a</line><line no="2">b</line><plain>p</plain></s:Body></s:Envelope>';
const end = (index: string, type: string, field: string): object => ({
  color: colorOf(index),
  type,
  field,
});
const withoutLayout = (xml: string): string =>
  xml.replace(/^<\?xml[^>]*>\s*/, '').replaceAll(/\n\s*/g, '');

/** The sent body when a script result is written there, or the error code. */
async function boundTo(
  field: string,
  body: object = { ...jsonBody(FIELDS), format: 'xml' },
  header: Record<string, string> = {},
): Promise<string> {
  const requests: OutboundRequest[] = [];
  const http = answering((request) => {
    requests.push(request);
    return {};
  });
  const step = httpStep('1', 'http://remote/', { request: { method: 'POST', header, body } });
  const fieldBinding = [
    {
      from: [end('0', 'response', 'body.a')],
      to: [end('1', 'request', field)],
      enhancement: { language: 'js', expertCode: 'RESULT_VAR = "<&>"' },
    },
  ];
  const result = await runWith(
    { ...workflow(httpStep('0', 'http://remote/'), step), fieldBinding },
    { http, scripts: { evaluate: () => Promise.resolve('"<&>"') } },
  );
  return result.error?.code ?? withoutLayout(String(requests.at(-1)?.body));
}

const RESULT = '&lt;&amp;&gt;';

describe('a field binding writes to', () => {
  it.each<[string, string, string]>([
    ['s:Envelope.s:Body.plain', '<plain>p</plain>', `<plain>${RESULT}</plain>`],
    ['Envelope.Body.plain', '<plain>p</plain>', `<plain>${RESULT}</plain>`],
    ['$.Envelope.Body.plain', '<plain>p</plain>', `<plain>${RESULT}</plain>`],
    ['Body.plain', '<plain>p</plain>', `<plain>${RESULT}</plain>`],
    ['Envelope.__oc__value.Body.plain.__oc__value', '<plain>p</plain>', `<plain>${RESULT}</plain>`],
    ['Envelope.Body.order', '>text<', `>${RESULT}<`],
    ['Envelope.Body.order.__oc__value', '>text<', `>${RESULT}<`],
    ['Envelope.Body.order.@id', 'id="7"', `id="&lt;&amp;>"`],
    ['Envelope.Body.order.__oc__attributes.id', 'id="7"', `id="&lt;&amp;>"`],
    ['Envelope.Body.order.@state', 'o:state="open"', `o:state="&lt;&amp;>"`],
    ['Envelope.Body.own.@id', 'id="8"', `id="&lt;&amp;>"`],
    ['Envelope.Body.own.__oc__attributes.id', 'id="8"', `id="&lt;&amp;>"`],
    ['Envelope.@version', 'version="1"', `version="&lt;&amp;>"`],
    ['@version', 'version="1"', `version="&lt;&amp;>"`],
    ['Envelope.Body.own.name', '<name>n</name>', `<name>${RESULT}</name>`],
    ['Envelope.Body.line[1]', '>b<', `>${RESULT}<`],
    ['Envelope.Body.line[1].@no', 'no="2"', `no="&lt;&amp;>"`],
  ])('%s', async (field, before, after) => {
    expect(SENT).toContain(before);
    expect(await boundTo(field)).toBe(SENT.replace(before, after));
  });

  it('each element of a list that has no index', async () => {
    expect(await boundTo('Envelope.Body.line[i].@no')).toBe(
      SENT.replace(/no="\d"/g, 'no="&lt;&amp;>"'),
    );
  });

  it.each([
    'Envelope.Body.order.@absent',
    'Envelope.Body.absent',
    'Other.Body.plain',
    'Envelope.Body.plain.@id',
  ])('no missing element: %s', async (field) => {
    expect(await boundTo(field)).toBe('BINDING_FIELD_UNKNOWN');
  });

  it('a body that only its header declares as XML', async () => {
    expect(
      await boundTo('Envelope.Body.order.@id', jsonBody(FIELDS), {
        'Content-Type': 'application/soap+xml',
      }),
    ).toBe(SENT.replace('id="7"', 'id="&lt;&amp;>"'));
  });

  it('JSON fields by their names only', async () => {
    const json = jsonBody({ a: { '@id': 1, __oc__value: 2, 'x:y': 3 }, $: 4 });
    for (const [field, body] of [
      ['a.@id', { a: { '@id': '<&>', __oc__value: 2, 'x:y': 3 }, $: 4 }],
      ['$.a.@id', { a: { '@id': '<&>', __oc__value: 2, 'x:y': 3 }, $: 4 }],
      ['$.$', { a: { '@id': 1, __oc__value: 2, 'x:y': 3 }, $: '<&>' }],
    ] as const)
      expect(JSON.parse(await boundTo(field, json))).toEqual(body);
    for (const field of ['a.y', 'a.__oc__attributes.id'])
      expect(await boundTo(field, json)).toBe('BINDING_FIELD_UNKNOWN');
  });
});

it.each<[string, unknown]>([
  ['s:Envelope.__oc__value.s:Body.order.__oc__attributes.id', '7'],
  ['$.Envelope.Body.order.@id', '7'],
  ['Envelope.Body.order.__oc__value', 'text'],
  ['Envelope.Body.own.__oc__attributes.id', '8'],
  ['Envelope.Body.line[1].@no', '2'],
  ['Envelope.Body.plain.__oc__value', 'p'],
  ['s:Envelope.@version', '1'],
  ['Envelope.Body.order.@absent', null],
  ['Body.plain', 'p'],
  ['Body.order', 'text'],
  ['Body.line[0]', 'a'],
  ['Envelope.Body.order', 'text'],
  ['plain', null],
])('a reference to a sent XML body reads %s', async (path, value) => {
  const requests: OutboundRequest[] = [];
  const http = answering((request) => {
    requests.push(request);
    return {};
  });
  const first = httpStep('0', 'http://remote/', {
    request: { method: 'POST', body: { ...jsonBody(FIELDS), format: 'xml' } },
  });
  const result = await runWith(
    workflow(
      first,
      httpStep('1', 'http://remote/', {
        request: { method: 'POST', body: jsonBody({ value: reference('0', `(request).${path}`) }) },
      }),
    ),
    { http },
  );
  expect(result.error).toBeUndefined();
  expect(JSON.parse(String(requests.at(-1)?.body))).toEqual({ value });
});
