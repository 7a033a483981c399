import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const JSON_BYTES = 64 * 1024;
const XML =
  '<?xml version="1.0" encoding="UTF-8"?><s:order xmlns:s="urn:shop" id="7"><s:item sku="a">Ärmel</s:item><item>two</item><note lang="de">Grüße</note></s:order>';

const service = testService({ env: { HYPHA_LIMITS_JSON_BYTES: String(JSON_BYTES) } });
const remote = testRemote(() => ({ body: {} }));
let workflowId: number;
beforeAll(async () => {
  const fields = {
    body: '${body}',
    name: '${name}',
    id: '${order.@id}',
    items: '${order.item}',
    note: '${order.note.__oc__value}',
  };
  workflowId = await saved(
    service,
    workflow([
      method('0', `${remote.url}/called`, {
        request: {
          endpoint: `${remote.url}/called`,
          method: 'POST',
          header: {},
          body: { type: 'object', format: 'json', data: 'raw', fields },
        },
      }),
    ]),
  );
});
beforeEach(() => remote.forget());

async function webhook(): Promise<{ url: string; scheduleId: number }> {
  const {
    body: { schedulerId: scheduleId },
  } = await service.api('POST', '/api/scheduler', {
    body: { title: unique('Called '), connectionId: workflowId },
  });
  const webhookCreate = await service.mutate('webhookCreate', { scheduleId }, 'webhook { url }');
  return { url: webhookCreate.webhook.url, scheduleId };
}

interface Sent {
  readonly body: string | Buffer | FormData;
  readonly type?: string;
  readonly encoding?: string;
  readonly search?: string;
}
async function post(
  url: string,
  { body, type, encoding, search = '' }: Sent,
): Promise<Pick<Answer, 'status' | 'body'>> {
  const headers = {
    ...(type !== undefined && { 'content-type': type }),
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  };
  const response = await fetch(url + search, {
    method: 'POST',
    headers,
    body: body instanceof FormData ? body : new Blob([body]),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
const runIdOf = async (scheduleId: number): Promise<number | undefined> =>
  (
    await service.field(
      'query ($id: ID!) { runs(filter: { schedule: { eq: $id } }) { nodes { databaseId } } }',
      { id: scheduleId },
    )
  ).nodes[0]?.databaseId;

async function sentOn(sent: Sent): Promise<string> {
  const { url, scheduleId } = await webhook();
  expect(await post(url, sent)).toEqual({ status: 200, body: null });
  expect(await ended(service, (await runIdOf(scheduleId)) as number)).toMatchObject({
    state: 'SUCCEEDED',
  });
  return remote.received.at(-1)?.body ?? '';
}

const NOTHING = { body: null, name: null, id: null, items: null, note: null };
const formOf = (fields: readonly (readonly [string, string | Blob])[]): FormData => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
};

describe('the body of a webhook', () => {
  it.each<[string, Sent, object]>([
    ['a JSON array', { body: ' [1,{"a":[true]}] ' }, { body: [1, { a: [true] }] }],
    ['a JSON text', { body: '"just text"' }, { body: 'just text' }],
    ['a JSON number', { body: '17', type: 'application/json' }, { body: 17 }],
    ['a JSON null', { body: 'null' }, {}],
    [
      'a JSON array, overridden by the query',
      { body: '[1]', search: '?body=other&name=Bo' },
      { body: 'other', name: 'Bo' },
    ],
    ['blank', { body: ' \n ', type: 'application/json' }, {}],
    [
      'a form',
      { body: 'name=J%C3%BCrgen+M&body=1%2C2', type: 'application/x-www-form-urlencoded' },
      { name: 'Jürgen M', body: '1,2' },
    ],
    [
      'a form with a name twice',
      { body: 'name=a&name=[b]&x', type: 'application/x-www-form-urlencoded; charset=UTF-8' },
      { name: ['a', '[b]'] },
    ],
    [
      'JSON that curl calls a form',
      { body: '{"name":{"a":1}}', type: 'application/x-www-form-urlencoded' },
      { name: { a: 1 } },
    ],
    [
      'multipart',
      {
        body: formOf([
          ['name', 'Zoë'],
          ['body', 'a'],
          ['body', '{"b":1}'],
        ]),
      },
      { name: 'Zoë', body: ['a', '{"b":1}'] },
    ],
    [
      'multipart with an empty file input',
      {
        body: formOf([
          ['name', 'x'],
          ['picture', new File([], '')],
        ]),
      },
      { name: 'x' },
    ],
    [
      'XML',
      { body: XML, type: 'application/xml' },
      { id: '7', items: [{ '@sku': 'a', __oc__value: 'Ärmel' }, 'two'], note: 'Grüße' },
    ],
    [
      'XML that curl calls a form',
      { body: '<?xml version="1.0"?><name>x</name>', type: 'application/x-www-form-urlencoded' },
      { name: 'x' },
    ],
    [
      'XML in Latin 1 by its header',
      { body: Buffer.from('<name>Jürgen</name>', 'latin1'), type: 'text/xml; charset=ISO-8859-1' },
      { name: 'Jürgen' },
    ],
    [
      'XML in Latin 1 by its declaration',
      {
        body: Buffer.from(
          '<?xml version="1.0" encoding="ISO-8859-1"?><name>Jürgen</name>',
          'latin1',
        ),
        type: 'text/xml',
      },
      { name: 'Jürgen' },
    ],
    [
      'XML in UTF-16',
      {
        body: Buffer.from('\ufeff<name>Jürgen</name>', 'utf16le'),
        type: 'text/xml; charset=utf-8',
      },
      { name: 'Jürgen' },
    ],
    ['gzip', { body: gzipSync('{"name":"packed"}'), encoding: 'gzip' }, { name: 'packed' }],
    [
      'deflate',
      {
        body: deflateSync('name=packed'),
        type: 'application/x-www-form-urlencoded',
        encoding: 'deflate',
      },
      { name: 'packed' },
    ],
    [
      'brotli',
      { body: brotliCompressSync(XML), type: 'text/xml', encoding: 'br' },
      { id: '7', items: [{ '@sku': 'a', __oc__value: 'Ärmel' }, 'two'], note: 'Grüße' },
    ],
  ])('is accepted as %s', async (_what, sent, expected) => {
    expect(JSON.parse(await sentOn(sent))).toEqual({ ...NOTHING, ...expected });
  });

  it.each(['[9007199254740993,1]', '12345678901234567890', '{"body":-9007199254740995}'])(
    'keeps the digits of %s',
    async (body) => {
      expect(await sentOn({ body })).toContain(/-?\d{16,}/.exec(body)?.[0] ?? 'none');
    },
  );

  const bomb = gzipSync(Buffer.alloc(JSON_BYTES * 20, 0x20));
  it.each<[string, Sent, number, string]>([
    ['broken JSON', { body: '[1,' }, 400, 'BAD_REQUEST'],
    [
      'JSON with a number that would be rounded',
      { body: '[9007199254740993.55]' },
      400,
      'WEBHOOK_PARAMETER_INVALID',
    ],
    [
      'JSON in another character set',
      { body: '"ä"', type: 'application/json; charset=iso-8859-1' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a form with broken percent-encoding',
      { body: 'name=%ff', type: 'application/x-www-form-urlencoded' },
      400,
      'BAD_REQUEST',
    ],
    [
      'a form that is not UTF-8',
      { body: Buffer.from('name=ä', 'latin1'), type: 'application/x-www-form-urlencoded' },
      400,
      'BAD_REQUEST',
    ],
    [
      'a form with too many fields',
      { body: 'a&'.repeat(1_001), type: 'application/x-www-form-urlencoded' },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'multipart with a file',
      {
        body: formOf([
          ['name', 'x'],
          ['picture', new File(['bytes'], 'a.png', { type: 'image/png' })],
        ]),
      },
      400,
      'BAD_REQUEST',
    ],
    [
      'multipart with a file without a name',
      {
        body: formOf([
          ['name', 'x'],
          ['picture', new File(['bytes'], '')],
        ]),
      },
      400,
      'BAD_REQUEST',
    ],
    [
      'multipart without a boundary',
      { body: 'x', type: 'multipart/form-data' },
      400,
      'BAD_REQUEST',
    ],
    [
      'multipart that is cut',
      {
        body: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
        type: 'multipart/form-data; boundary=b',
      },
      400,
      'BAD_REQUEST',
    ],
    [
      'multipart with text of no character set',
      {
        body: Buffer.from(
          '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xe4\r\n--b--\r\n',
          'latin1',
        ),
        type: 'multipart/form-data; boundary=b',
      },
      400,
      'BAD_REQUEST',
    ],
    [
      'multipart with too many fields',
      { body: formOf(Array.from({ length: 1_001 }, (_, nth) => [`f${nth}`, ''] as const)) },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['XML that has no end', { body: '<a><b></a>', type: 'text/xml' }, 400, 'BAD_REQUEST'],
    [
      'XML with a DOCTYPE',
      { body: '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', type: 'text/xml' },
      400,
      'BAD_REQUEST',
    ],
    [
      'XML in an unknown character set',
      { body: '<a/>', type: 'text/xml; charset=klingon' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'an image',
      { body: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), type: 'image/png' },
      400,
      'BAD_REQUEST',
    ],
    ['an unknown encoding', { body: 'x', encoding: 'zstd' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'several encodings',
      { body: gzipSync(gzipSync('{}')), encoding: 'gzip, gzip' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['what is not gzip', { body: '{}', encoding: 'gzip' }, 400, 'BAD_REQUEST'],
    [
      'gzip that is cut',
      { body: gzipSync('{"name":"packed"}').subarray(0, 20), encoding: 'gzip' },
      400,
      'BAD_REQUEST',
    ],
    ['gzip of too many bytes', { body: bomb, encoding: 'gzip' }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('starts nothing if it is %s', async (_what, sent, status, code) => {
    const { url, scheduleId } = await webhook();
    expect(await post(url, sent)).toMatchObject({ status, body: { message: code } });
    expect(await runIdOf(scheduleId)).toBeUndefined();
  });
});

it.each([
  [
    'urlencoded',
    'application/x-www-form-urlencoded',
    { name: 'Ann & Bo', body: 'é' },
    { name: 'Ann & Bo', body: 'é' },
  ],
  ['multipart', 'multipart/form-data', { name: 'Ann' }, { name: 'Ann' }],
  [
    'xml',
    'application/xml',
    { order: { '@id': '7', item: ['a', 'b'] } },
    { id: '7', items: ['a', 'b'] },
  ],
])(
  'a step can call a webhook of the service with a body in %s like any client',
  async (format, type, fields, expected) => {
    const { url, scheduleId } = await webhook();
    const call = {
      id: 'w',
      index: '0',
      name: 'onwards',
      methodType: 'WEBHOOK',
      request: {
        endpoint: url,
        method: 'POST',
        header: { 'Content-Type': type },
        body: { type: 'object', format, data: 'raw', fields },
      },
    };
    expect(
      await ended(service, await started(service, await saved(service, workflow([call])), true)),
    ).toMatchObject({ state: 'SUCCEEDED' });
    await ended(service, (await runIdOf(scheduleId)) as number);
    expect(JSON.parse(remote.received.at(-1)?.body ?? '')).toEqual({ ...NOTHING, ...expected });
  },
);
