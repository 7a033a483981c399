import type { BodyDoc } from '../../../src/engine';
import { readXml } from '../../../src/platform/xml/read-xml';
import type { XmlElement } from '../../../src/platform/xml/read-xml';
import { answerJson, startRemote } from '../support/remote';
import {
  httpStep,
  ifStep,
  loopStep,
  ofKind,
  openOutbound,
  reference,
  run,
  runWith,
  workflow,
} from '../support/run';
import { openForTests } from '../../support/open-for-tests';

const DOCUMENT = `<?xml version="1.0" encoding="UTF-8"?>
<o:orders xmlns:o="urn:orders" page="1">
  <o:order id="7" state="open"><customer>Ann &amp; Co</customer><item sku="a1">first</item><item sku="b2">second</item></o:order>
  <o:order id="8"><customer><![CDATA[<Bob>]]></customer><item sku="c3">third</item><note/></o:order>
  <tags>red;green</tags>
  <single><line>only</line></single>
  <token>{%#000000.(response).body.orders%} \${x}</token>
</o:orders>`;

describe('XML', () => {
  const outbound = openOutbound();
  const remote = openForTests(() =>
    startRemote((request, response) => {
      const [, type, status] =
        /^\/xml(?:\?type=([^&]*))?(?:&status=(\d+))?$/.exec(request.url) ?? [];
      if (request.url.startsWith('/xml'))
        response
          .writeHead(Number(status ?? 200), {
            'content-type': decodeURIComponent(type ?? 'application/xml'),
          })
          .end(DOCUMENT);
      else if (request.url === '/broken')
        response.writeHead(200, { 'content-type': 'text/xml' }).end('<a><b></a>');
      else if (request.url === '/doctype')
        response
          .writeHead(200, { 'content-type': 'text/xml' })
          .end('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>');
      else answerJson(response, {});
    }),
  );
  beforeEach(() => {
    remote.received.length = 0;
  });
  afterAll(() => outbound.close());

  const copied = (field: unknown, format = 'json') =>
    httpStep('9', `${remote.url}/copy`, {
      request: { method: 'POST', body: { type: 'object', format, data: 'raw', fields: field } },
    });

  describe('in an answer', () => {
    it.each<[string, unknown]>([
      ['orders.order[0].customer', 'Ann & Co'],
      ['order[1].customer', '<Bob>'],
      ['$.orders.order[0].@id', '7'],
      ['o:orders.o:order[1].@id', '8'],
      ['@page', '1'],
      ['order.@id', ['7', '8']],
      ['order[*].customer', ['Ann & Co', '<Bob>']],
      ['order[0].item', ['first', 'second']],
      ['order[0].item[1]', 'second'],
      ['order.item[0]', ['first', 'third']],
      ['order[1].item', 'third'],
      ['order[1].item[*]', ['third']],
      ['order[1].item[0].@sku', 'c3'],
      ['order[0].item.__oc__value', ['first', 'second']],
      ['order[0].__oc__attributes.state', 'open'],
      ['order[1].__oc__attributes.state', null],
      ['order[1].note', ''],
      ['nothing.at.all', null],
      ['order[5].customer', null],
      ["order[0]['customer']", 'Ann & Co'],
      ["order[1]['*']~", ['@id', 'customer', 'item', 'note']],
      ['order[1]', { '@id': '8', customer: '<Bob>', item: 'third', note: '' }],
      ['single', { line: 'only' }],
      ['token', '{%#000000.(response).body.orders%} ${x}'],
    ])('%s is %j', async (path, value) => {
      const result = await run(
        workflow(
          httpStep('0', `${remote.url}/xml`),
          copied({ value: reference('0', `(response).body.${path}`) }),
        ),
        outbound,
      );
      expect(result.error).toBeUndefined();
      expect(JSON.parse(remote.received.at(-1)?.body ?? '')).toEqual({ value });
    });

    it('is its text as a whole', async () => {
      await run(
        workflow(
          httpStep('0', `${remote.url}/xml`),
          copied(reference('0', '(response).body'), 'text'),
        ),
        outbound,
      );
      expect(remote.received.at(-1)?.body).toBe(DOCUMENT);
    });

    it('can be iterated over, also with a single element', async () => {
      const snapshot = workflow(
        httpStep('0', `${remote.url}/xml`),
        loopStep('1', `For(${reference('0', '(response).body.order')})`, 'i'),
        loopStep('1_0', `For(${reference('0', '(response).body.order[i].item')})`, 'j'),
        httpStep(
          '1_0_0',
          `${remote.url}/item/${reference('0', '(response).success.orders.order[i].@id')}/${reference('0', '(response).body.order[i].item[j].@sku')}`,
        ),
        loopStep('2', `ForIn(${reference('0', '(response).body.single')})`, 'k'),
        httpStep(
          '2_0',
          `${remote.url}/key/${reference('0', "(response).body.single['k']~")}/${reference('0', "(response).body.single['k']")}`,
        ),
        loopStep('3', `SplitString(${reference('0', '(response).body.tags')}, ";")`, 'l'),
        httpStep('3_0', `${remote.url}/tag/${reference('0', '(response).body.tags[l]~')}`),
        loopStep('4', `For(${reference('0', '(response).body.absent')})`, 'm'),
        httpStep('4_0', `${remote.url}/never`),
      );
      expect((await run(snapshot, outbound)).error).toBeUndefined();
      expect(remote.received.slice(1).map(({ url }) => url)).toEqual([
        '/item/7/a1',
        '/item/7/b2',
        '/item/8/c3',
        '/key/line/only',
        '/tag/red',
        '/tag/green',
      ]);
    });

    describe('split like JSON text', () => {
      const xml =
        '<a><tags>red;green</tags><order codes="x;y"><item>first</item><item>second</item><customer>Ann</customer></order><note/><line>p;q</line></a>';
      const json = {
        tags: 'red;green',
        order: { '@codes': 'x;y', item: ['first', 'second'], customer: 'Ann' },
        note: '',
        line: 'p;q',
      };
      /** In the last iteration over the parts of an element and an attribute. */
      const seen = async (path: string, body: string, type: string): Promise<unknown> => {
        const split = (text: string): string =>
          `SplitString(${reference('0', `(response).body.${text}`)}, ";")`;
        const snapshot = workflow(
          httpStep('0', 'http://remote/'),
          loopStep('1', split('tags'), 'l'),
          loopStep('1_0', split('order.@codes'), 'm'),
          httpStep('1_0_0', 'http://remote/', {
            request: {
              method: 'POST',
              body: {
                type: 'object',
                format: 'json',
                data: 'raw',
                fields: { value: reference('0', `(response).body.${path}`) },
              },
            },
          }),
        );
        const sent: string[] = [];
        const http = {
          send: async ({ body: was }: { body?: string | Buffer }) => {
            if (was !== undefined) sent.push(String(was));
            return { status: 200, headers: { 'content-type': type }, body: Buffer.from(body) };
          },
        };
        expect((await runWith(snapshot, { http })).error).toBeUndefined();
        expect(sent).toHaveLength(4);
        return JSON.parse(sent.at(-1) ?? '').value;
      };

      it.each<[string, unknown]>([
        ['tags[*]~', ['red', 'green']],
        ["tags['*']~", ['red', 'green']],
        ['tags[0]~', 'red'],
        ['tags[1]~', 'green'],
        ['tags[2]~', null],
        ['tags[l]~', 'green'],
        ['tags[l]', 'green'],
        ['order.@codes[*]~', ['x', 'y']],
        ['order.@codes[0]~', 'x'],
        ['order.@codes[2]~', null],
        ['order.@codes[m]~', 'y'],
        ['order.@codes[m]', 'y'],
        ['order.@none[*]~', null],
        ['order.@none[0]~', null],
        ['note[*]~', []],
        ['note[0]~', null],
        ['absent[*]~', null],
        ['absent[0]~', null],
        ['absent[l]~', null],
        ['line[*]~', []],
        ['line[0]~', null],
        ['order.item[*]~', ['first', 'second']],
        ['order.item[1]~', 'second'],
        ['order.item[2]~', null],
        ["order['*']~", ['@codes', 'item', 'customer']],
        ["order['customer']~", 'customer'],
        ["order['absent']~", null],
      ])('%s is %j', async (path, value) => {
        expect(await seen(path, xml, 'text/xml')).toEqual(value);
        expect(await seen(path, JSON.stringify(json), 'application/json')).toEqual(value);
      });
    });

    it('keeps the mixed content of an element, and writes its text before the child elements', async () => {
      const sent: string[] = [];
      const http = {
        send: async ({ body }: { body?: string | Buffer }) => {
          if (body !== undefined) sent.push(String(body));
          return {
            status: 200,
            headers: { 'content-type': 'text/xml' },
            body: Buffer.from('<a><p id="1">one <b>two</b>\n &lt;three&gt;</p></a>'),
          };
        },
      };
      const bodyValue = reference('0', '(response).body.p');
      const post = (index: string, format: string, fields: unknown) =>
        httpStep(index, 'http://remote/', {
          request: { method: 'POST', body: { format, fields } },
        });
      expect(
        (
          await runWith(
            workflow(
              httpStep('0', 'http://remote/'),
              post('1', 'json', { taken: bodyValue }),
              post('2', 'xml', { a: { p: bodyValue } }),
            ),
            { http },
          )
        ).error,
      ).toBeUndefined();
      const [json, xml] = sent;
      expect(JSON.parse(json ?? '')).toEqual({
        taken: { '@id': '1', __oc__value: 'one \n <three>', b: 'two' },
      });
      expect(await readXml(xml ?? '')).toMatchObject({
        children: [
          {
            name: 'p',
            attributes: { id: '1' },
            text: expect.stringMatching(/^one \n <three>\s*$/),
            children: [{ name: 'b', text: 'two' }],
          },
        ],
      });
    });

    it.each<[string, boolean]>([
      ["item Contains 'only'", true],
      ["item Contains 'other'", false],
      ["item NotContains 'only'", false],
      ["item ContainsSubStr 'nl'", true],
      ["item PropertyExists 'only'", true],
      ["item PropertyNotExists 'only'", false],
      ["box.item ContainsSubStr 'x'", false],
      ["box Contains 'x'", false],
      ["box PropertyExists 'item'", true],
      ["box PropertyExists 'other'", false],
      ["empty PropertyExists 'item'", false],
      ["empty PropertyNotExists 'item'", true],
      ["absent Contains 'x'", false],
      ["absent PropertyNotExists 'x'", true],
      ["several.item Contains 'b'", true],
      ["several.item PropertyExists 'c'", false],
    ])('treats a single element like a list: %s', async (condition, holds) => {
      const body = Buffer.from(
        '<a><item>only</item><box><item><name>x</name></item></box><empty/><several><item>a</item><item>b</item></several></a>',
      );
      const [path, ...relation] = condition.split(' ');
      const result = await runWith(
        workflow(
          httpStep('0', 'http://remote/'),
          ifStep('1', `${reference('0', `(response).body.${path}`)} ${relation.join(' ')}`),
        ),
        {
          http: {
            send: async () => ({ status: 200, headers: { 'content-type': 'text/xml' }, body }),
          },
        },
      );
      expect(ofKind(result, 'ConditionEvaluated')).toMatchObject([{ result: holds }]);
    });

    it.each(['application/xml', 'text/xml; charset=utf-8', 'application/soap+xml', 'text/plain'])(
      'is read when it is sent as %s',
      async (type) => {
        await run(
          workflow(
            httpStep('0', `${remote.url}/xml?type=${encodeURIComponent(type)}`),
            ifStep('1', `${reference('0', '(response).body.@page')} = 1`),
            httpStep('1_0', `${remote.url}/seen`),
          ),
          outbound,
        );
        expect(remote.received.at(-1)?.url).toBe('/seen');
      },
    );

    const named = (encoding: string): string =>
      `<?xml version="1.0" encoding="${encoding}"?><a><b>Zoë</b></a>`;
    it.each<[string, Buffer, string]>([
      ['its declaration', Buffer.from(named('ISO-8859-1'), 'latin1'), 'application/xml'],
      [
        'its declaration with a rare encoding name',
        Buffer.from(named('windows-1254'), 'latin1'),
        'text/plain',
      ],
      [
        'its header, which overrides the declaration',
        Buffer.from(named('ISO-8859-1')),
        'text/xml; charset=utf-8',
      ],
      [
        'its byte order mark, which overrides the header',
        Buffer.from(`\ufeff${named('UTF-16')}`, 'utf16le'),
        'text/xml; charset=utf-8',
      ],
      [
        'its big-endian byte order mark',
        Buffer.from(`\ufeff${named('UTF-16')}`, 'utf16le').swap16(),
        'text/xml',
      ],
      ['UTF-8 when the declared encoding is wrong', Buffer.from(named('utf-16')), 'text/xml'],
      ['UTF-8 when the declared encoding is unknown', Buffer.from(named('x-ours')), 'text/xml'],
    ])('is read in the character set of %s', async (_what, bytes, type) => {
      const answers = [{ status: 200, headers: { 'content-type': type }, body: bytes }];
      const sent: unknown[] = [];
      const http = {
        send: async ({ body }: { body?: string | Buffer }) => {
          sent.push(body);
          return answers.shift() ?? { status: 200, headers: {}, body: Buffer.alloc(0) };
        },
      };
      expect(
        (
          await runWith(
            workflow(
              httpStep('0', 'http://remote/'),
              copied({ value: reference('0', '(response).body.b') }),
            ),
            { http },
          )
        ).error,
      ).toBeUndefined();
      expect(sent.at(-1)).toBe('{"value":"Zoë"}');
    });

    it('is what `fail` reads after a failure', async () => {
      await run(
        workflow(
          httpStep('0', `${remote.url}/xml?type=text%2Fxml&status=422`),
          copied([
            reference('0', '(response).fail.single.line'),
            reference('0', '(response).success.single.line'),
          ]),
        ),
        outbound,
      );
      expect(remote.received.at(-1)?.body).toBe('["only",null]');
    });

    it.each(['/broken', '/doctype'])(
      'that is invalid ends the run when a part of it is read: %s',
      async (path) => {
        const result = await run(
          workflow(httpStep('0', remote.url + path), copied(reference('0', '(response).body.b'))),
          outbound,
        );
        expect(result.error).toMatchObject({ code: 'RESPONSE_NOT_XML', index: '0' });
        expect(
          (
            await run(
              workflow(
                httpStep('0', remote.url + path),
                copied(reference('0', '(response).body'), 'text'),
              ),
              outbound,
            )
          ).state,
        ).toBe('SUCCEEDED');
      },
    );

    it('masks secrets by element and attribute names', async () => {
      const secret = await startRemote((_request, response) => {
        response
          .writeHead(200, { 'content-type': 'text/xml' })
          .end('<a><password>geheim-1234</password><b>x geheim-1234 y</b></a>');
      });
      const result = await run(
        workflow(
          httpStep('0', secret.url),
          copied({
            b: reference('0', '(response).body.a.b'),
            password: reference('0', '(response).body.password'),
          }),
        ),
        outbound,
      );
      await secret.close();
      expect(result.state).toBe('SUCCEEDED');
      expect(remote.received.at(-1)?.body).toContain('geheim-1234');
      expect(JSON.stringify(result.events)).not.toContain('geheim');
    });
  });

  describe('in a body', () => {
    const send = async (
      fields: unknown,
      header: Record<string, string> = {},
      body: Partial<BodyDoc> = {},
    ) => {
      const result = await run(
        workflow(
          httpStep('0', `${remote.url}/xml`),
          httpStep('1', `${remote.url}/target`, {
            request: {
              method: 'POST',
              header,
              body: { type: 'object', format: 'xml', data: 'raw', fields, ...body },
            },
          }),
        ),
        outbound,
      );
      return { ...result, arrived: remote.received.find(({ url }) => url === '/target') };
    };
    const written = async (fields: unknown) =>
      (await send(fields)).arrived?.body.replace(/^<\?xml[^>]*>\s*/, '').replaceAll(/\n\s*/g, '');

    it.each<[unknown, string]>([
      [
        { a: { b: 1, c: null, d: 'x < y & "z" ]]>' } },
        '<a><b>1</b><c/><d>x &lt; y &amp; "z" ]]&gt;</d></a>',
      ],
      [
        { a: { item: [1, { b: 2 }, 'c'] } },
        '<a><item>1</item><item><b>2</b></item><item>c</item></a>',
      ],
      [
        { price: { __oc__value: '7', __oc__attributes: { currency: 'EUR "€" <' } } },
        '<price currency="EUR &quot;€&quot; &lt;">7</price>',
      ],
      [
        {
          's:Envelope': {
            __oc__attributes: { 'xmlns:s': 'urn:soap' },
            __oc__value: { 's:Body': { '@id': true, ping: 'x' } },
          },
        },
        '<s:Envelope xmlns:s="urn:soap"><s:Body id="true"><ping>x</ping></s:Body></s:Envelope>',
      ],
      [
        {
          a: {
            copy: reference('0', '(response).body.order[0].customer'),
            all: reference('0', '(response).body.order[1]'),
            text: `n: ${reference('0', '(response).body.order[1].customer')}`,
          },
        },
        '<a><copy>Ann &amp; Co</copy><all id="8"><customer>&lt;Bob&gt;</customer><item>third</item><note/></all><text>n: &lt;Bob&gt;</text></a>',
      ],
    ])('%j is sent as %s', async (fields, xml) => {
      expect(await written(fields)).toBe(xml);
      expect(remote.received.at(-1)?.headers['content-type']).toBe('application/xml');
    });

    it('has the type declared by the step', async () => {
      expect(
        (await send({ a: 1 }, { 'content-type': 'text/xml; charset=utf-8' }, { format: 'json' }))
          .arrived,
      ).toMatchObject({
        headers: { 'content-type': 'text/xml; charset=utf-8' },
        body: expect.stringContaining('<a>1</a>'),
      });
    });

    it.each<[string, unknown]>([
      ['two roots', { a: 1, b: 2 }],
      ['no root', {}],
      ['a list of roots', { a: [1, 2] }],
      ['a list', [1]],
      ['a name with a blank', { 'a b': 1 }],
      ['an invalid element name', { 'a><b': 1 }],
      ['an invalid attribute name', { a: { '@x="1" y': 1 } }],
      ['a character outside XML', { a: '\u0000' }],
    ])('is rejected: %s', async (_what, fields) => {
      const result = await send(fields);
      expect(result.error).toMatchObject({ code: 'REQUEST_BODY_INVALID', index: '1' });
      expect(result.arrived).toBeUndefined();
    });
  });

  describe('in a body that is written as text', () => {
    /** The parsed document that was sent with a value inserted in it. */
    const read = async (text: string, value: string): Promise<XmlElement> => {
      const sent: string[] = [];
      const http = {
        send: async ({ body }: { body?: string | Buffer }) => {
          if (body !== undefined) sent.push(String(body));
          return {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(JSON.stringify({ value })),
          };
        },
      };
      const written = text.replaceAll('$', reference('0', '(response).body.value'));
      const result = await runWith(
        workflow(
          httpStep('0', 'http://remote/'),
          httpStep('1', 'http://remote/', {
            request: { method: 'POST', body: { format: 'xml', fields: written } },
          }),
        ),
        { http },
      );
      expect(result.error).toBeUndefined();
      return readXml(sent[0] ?? '');
    };

    it.each([
      'Ann',
      '',
      'a < b & "c" \'d\'',
      '&amp;',
      ']]>',
      ']',
      '>',
      ']>',
      'a]]',
      ']]>]]>',
      '-->',
      '--',
      '-',
      'a\n\tb',
      '?>',
      '?',
      '<![CDATA[',
      'ü €',
      '{%secret.A%}',
    ])('keeps an inserted value inside its element: %j', async (value) => {
      expect((await read('<a>$</a>', value)).text).toBe(value);
      expect((await read('<a b="x"><![CDATA[$]]></a>', value)).text).toBe(value);
      expect((await read('<!-- > --><a><![CDATA[<b>]]$$]]]></a>', value)).text).toBe(
        `<b>]]${value}${value}]`,
      );
      expect((await read(`<?x y="?><a b=">$>" c='$'/>`, value)).attributes).toEqual({
        b: `>${value}>`,
        c: value,
      });
      expect(
        await read('<?pi $?><!--$--><!-- -$ --><?pi $>?><a><b c="1>">x</b><!-- $ --></a>', value),
      ).toMatchObject({ name: 'a', text: '', children: [{ name: 'b', text: 'x' }] });
    });

    it('keeps a carriage return in texts and attributes', async () => {
      expect(await read('<a b="$">$</a>', 'x\r\ny')).toMatchObject({
        text: 'x\r\ny',
        attributes: { b: 'x\r\ny' },
      });
    });

    it.each(['<a>$</a>', '<a><![CDATA[$]]></a>'])(
      'is rejected for a value that XML cannot contain: %s',
      async (text) => {
        const http = {
          send: async () => ({
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from('{"value":"\\u0000"}'),
          }),
        };
        const fields = text.replace('$', reference('0', '(response).body.value'));
        const { error } = await runWith(
          workflow(
            httpStep('0', 'http://remote/'),
            httpStep('1', 'http://remote/', {
              request: { method: 'POST', body: { format: 'xml', fields } },
            }),
          ),
          { http },
        );
        expect(error).toMatchObject({ code: 'REQUEST_BODY_INVALID', index: '1' });
      },
    );
  });

  it('does not apply to a multipart form, where each field is a part', async () => {
    const fields = {
      'na"me': 'Ann\r\n--x',
      list: ['a', 2],
      object: { b: reference('0', '(response).body.@page') },
    };
    const result = await run(
      workflow(
        httpStep('0', `${remote.url}/xml`),
        httpStep('1', `${remote.url}/form`, {
          request: {
            method: 'POST',
            body: { type: 'object', format: 'json', data: 'form-data', fields },
          },
        }),
      ),
      outbound,
    );
    expect(result.error).toBeUndefined();
    const { headers, body = '' } = remote.received.at(-1) ?? {};
    const [, boundary = ''] =
      /^multipart\/form-data; boundary=(\S+)$/.exec(String(headers?.['content-type'])) ?? [];
    expect(boundary).not.toBe('');
    const form = await new Response(body, {
      headers: { 'content-type': String(headers?.['content-type']) },
    }).formData();
    expect([...form.entries()]).toEqual([
      ['na"me', 'Ann\r\n--x'],
      ['list', 'a'],
      ['list', '2'],
      ['object', '{"b":"1"}'],
    ]);
    expect(ofKind(result, 'StepFinished')[1]?.request?.payload).toBe(
      JSON.stringify({ ...fields, object: { b: '1' } }),
    );
  });
});
