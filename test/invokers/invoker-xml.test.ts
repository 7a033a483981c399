import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvokerFaults } from '../../src/features/invokers/xml/faults';
import { readInvoker } from '../../src/features/invokers/xml/read-invoker';
import { writeInvoker } from '../../src/features/invokers/xml/write-invoker';
import { readXml } from '../../src/platform/xml/read-xml';
import { invokerXml, operationXml } from '../support/documents/invokers';

async function faultsOf(xml: string): Promise<string[]> {
  const error = await readInvoker(xml).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InvokerFaults)) throw new Error(`Expected faults, not ${String(error)}.`);
  return error.faults.map(({ line, reason }) => `${line} ${reason}`);
}

describe('the XML of an invoker', () => {
  it('is read in the forms of existing installations', async () => {
    const {
      operations: [me],
      requiredData,
      warnings,
      ...rest
    } = await readInvoker(invokerXml('Demo'));
    expect(rest).toEqual({
      name: 'Demo',
      type: 'RESTful',
      description: 'What it is',
      hint: null,
      icon: 'demo.png',
      authType: 'apikey',
      pagination: [],
    });
    expect(warnings).toEqual([]);
    expect(
      requiredData.map(({ name: field, visibility, value }) => [field, visibility, value]),
    ).toEqual([
      ['url', 'public', ''],
      ['token', 'protected', ''],
      ['basic', 'private', 'Basic {user:token}'],
    ]);
    expect(me).toMatchObject({
      name: 'GetMe',
      type: 'test',
      request: {
        method: 'GET',
        endpoint: '{url}/me',
        header: [{ name: 'Authorization', value: 'Bearer {token}' }],
        body: { value: { q: 'x' } },
      },
    });
    expect(me?.success?.body?.value).toEqual({
      id: '',
      tickets: [{ title: '', tags: ['a', 'b'] }],
    });
    expect(me?.fail).toMatchObject({ status: '401', body: { value: { error: '' } } });
  });

  it('has known meanings of field types', async () => {
    const read = await readInvoker(
      invokerXml(
        'Demo',
        `<operation name="A" type=""><request><method>post</method><endpoint>
      {url}
    </endpoint><body type="object" format="json" data="raw">
      <field name="none" type="string">null</field><field name="empty" type="string"/><field name="text" type="number"> 1 </field>
      <field name="list" type="array"/><field name="texts" type="array">a,b ,c</field><field name="objects" type="array"><field name="a" type="int">1</field></field>
      <field name="object" type="object"><field name="__proto__" type="string">own</field></field><field name="nothing" type="object">
      </field><field name="twice" type="string">1</field><field name="twice" type="string">2</field>
    </body></request></operation>`,
      ),
    );
    const { request, success } = read.operations[0] ?? {};
    expect([request?.method, request?.endpoint, success]).toEqual(['POST', '{url}', null]);
    const value = request?.body?.value ?? {};
    expect(JSON.stringify(value)).toBe(
      '{"none":null,"empty":"","text":" 1 ","list":[],"texts":["a","b","c"],"objects":[{"a":"1"}],"object":{"__proto__":"own"},"nothing":{},"twice":"2"}',
    );
    expect(({} as Record<string, unknown>).own).toBeUndefined();
  });

  it('may have a body without attributes and fields, which counts as absent', async () => {
    const read = await readInvoker(
      invokerXml(
        'Demo',
        '<operation name="A" type=""><request><method>GET</method><endpoint>{url}</endpoint><body/></request></operation>',
      ),
    );
    expect(read.operations[0]?.request.body).toBeNull();
  });

  it('is rejected with all errors and their lines', async () => {
    expect(
      await faultsOf(`<invoker>
<name>A</name><name>B</name>
<requiredData>
<item type="string" visibility="public"/>
<item name="url" visibility="secret" type="string"/>
<item name="url" type="string"/>
</requiredData>
<operations>
<operation name="A"><request><method>GET IT</method></request></operation>
<operation name="A" type=""/>
<operation type=""><request><method>GET</method><endpoint> </endpoint><body format="json" data="raw"><field/></body></request>
<response><success/></response></operation>
</operations>
</invoker>`),
    ).toEqual([
      '4 <item> has no attribute "name".',
      '5 The visibility must be one of public, protected, private.',
      '6 <item> has no attribute "visibility".',
      '9 <method> is a verb such as GET.',
      '10 <operation> has no <request>.',
      '11 <operation> has no attribute "name".',
      '11 <field> has no attribute "name".',
    ]);
  });

  it.each([
    ['another document', '<html><body/></html>', /root element is <html>/],
    ['no operation', '<invoker><name>A</name><operations/></invoker>', /at least one operation/],
    ['no name', `<invoker><operations>${operationXml('A')}</operations></invoker>`, /no <name>/],
    ['a blank name', invokerXml('  '), /<name> is empty/],
    ['a long name', invokerXml('n'.repeat(256)), /255 characters/],
    ['a name with an invisible character', invokerXml('a\u200bb'), /invisible characters/],
    ...['all', 'exists', 'refresh', 'synchronisation'].map((path): [string, string, RegExp] => [
      `the path ${path} as a name`,
      invokerXml(` ${path} `),
      /the REST API uses it/,
    ]),
    ...['.', '..'].map((step): [string, string, RegExp] => [
      `the step ${step} in a path as a name`,
      invokerXml(step),
      /cannot be part of a URL/,
    ]),
    [
      'a DOCTYPE',
      invokerXml('A').replace('<invoker', '<!DOCTYPE invoker>\n<invoker'),
      /2 A DOCTYPE/,
    ],
  ])('is rejected with %s', async (_, xml, reason) => {
    expect((await faultsOf(xml)).join('\n')).toMatch(reason);
  });

  it('is rejected with at most a hundred errors', async () => {
    expect(await faultsOf(invokerXml('A', '<operation/>'.repeat(5_000)))).toHaveLength(100);
  });
});

describe('the bundled invokers', () => {
  const folder = join(__dirname, '../../src/features/invokers/shipped');

  it.each(readdirSync(folder))(
    'include %s, which can be read and written and has a test',
    async (file) => {
      const read = await readInvoker(readFileSync(join(folder, file), 'utf8'));
      expect(read.operations.filter(({ type }) => type === 'test')).toHaveLength(1);
      expect(
        await readInvoker(writeInvoker(await readXml(readFileSync(join(folder, file), 'utf8')))),
      ).toEqual(read);
    },
  );

  it('describe Hypha with existing operations', async () => {
    const { operations } = await readInvoker(readFileSync(join(folder, 'hypha.xml'), 'utf8'));
    const { paths } = JSON.parse(
      readFileSync(join(__dirname, '../../schema/openapi.json'), 'utf8'),
    ) as { paths: Record<string, Record<string, { responses: object }>> };
    const documentedOperations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        method: method.toUpperCase(),
        pattern: path.replace(/\{[^}]*\}/g, '1'),
        responses,
      })),
    );
    for (const { name: called, request, success } of operations) {
      const path = request.endpoint.replace('{url}', '').replace(/\?.*/, '');
      const operation = documentedOperations.find(
        ({ method, pattern }) => method === request.method && pattern === path,
      );
      expect([called, Object.keys(operation?.responses ?? {})]).toEqual([
        called,
        expect.arrayContaining([success?.status]),
      ]);
    }
  });
});
