import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { BodyField, InvokerDefinition } from '../../src/features/invokers/invoker';
import { InvokerFaults } from '../../src/features/invokers/xml/faults';
import { PAGINATION_ACTIONS, PAGINATION_PARAMETERS } from '../../src/features/invokers/xml/pagination';
import { readInvoker } from '../../src/features/invokers/xml/read-invoker';
import { writeInvoker } from '../../src/features/invokers/xml/write-invoker';
import { isXmlText } from '../../src/platform/xml/xml-text';
import { isVisible } from '../../src/platform/text/characters';
import { invokerXml, operationXml } from '../support/invokers';
import { rounds } from '../support/rounds';

const text = fc.string({ unit: 'binary', maxLength: 20 }).filter(isXmlText);
/** What is written around it does not count. */
const trimmed = text.map((value) => value.trim());
const filled = trimmed.filter((value) => value !== '');
const name = filled.filter((value) => isVisible(value) && !['all', 'exists', 'refresh', 'synchronisation', '.', '..'].includes(value));
const optional = fc.option(filled, { nil: null });
/** Blanks with a line break among them are there for the next tag. */
const kept = text.filter((value) => !(value.includes('\n') && value.trim() === ''));

const leaf = fc.record({ name: filled, type: fc.constantFrom('string', 'int', 'array', 'object'), text: kept, fields: fc.constant<BodyField[]>([]) });
const around = (inner: fc.Arbitrary<BodyField>): fc.Arbitrary<BodyField> =>
  fc.record({ name: filled, type: fc.constantFrom('array', 'object'), text: fc.constant(''), fields: fc.array(inner, { minLength: 1, maxLength: 3 }) });
const fields = fc.array(fc.oneof(leaf, around(leaf), around(around(leaf))), { maxLength: 3 });
/** What the fields stand for follows from them: only what is written is made up. */
const body = fc.option(fc.record({ type: trimmed, format: trimmed, data: trimmed, fields, value: fc.constant({}) }), { nil: null });
const header = fc.array(fc.record({ name: filled, type: filled, value: trimmed }), { maxLength: 2 });
const result = fc.option(fc.record({ status: filled, header, body }), { nil: null });
const parameter = fc.record({ name: fc.constantFrom(...PAGINATION_PARAMETERS), action: fc.option(fc.constantFrom(...PAGINATION_ACTIONS), { nil: null }), ref: optional, value: trimmed });
const pagination = fc.uniqueArray(parameter, { maxLength: 4, selector: (one) => one.name })
  .map((parameters) => (parameters.length === 0 ? [] : [...parameters.filter((one) => one.name !== 'result'), { name: 'result', action: 'collect', ref: 'response.body.$.items', value: '' }]));
const operation = fc.record({
  name: filled, type: trimmed, request: fc.record({ method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'), endpoint: filled, header, body }), success: result, fail: result, pagination,
});
const invoker: fc.Arbitrary<InvokerDefinition> = fc.record({
  name, type: filled, description: optional, hint: optional, icon: optional, authType: optional,
  requiredData: fc.uniqueArray(fc.record({ name: filled, type: filled, visibility: fc.constantFrom('public' as const, 'protected' as const, 'private' as const), value: trimmed }), { maxLength: 4, selector: (one) => one.name }),
  pagination,
  operations: fc.uniqueArray(operation, { minLength: 1, maxLength: 3, selector: (one) => one.name }),
});

/** Without what follows from the rest. */
const written = (definition: InvokerDefinition): unknown => JSON.parse(JSON.stringify(definition, (key, value: unknown) => (key === 'value' && typeof value === 'object' ? undefined : value)));

async function faultsOf(xml: string): Promise<string[]> {
  const error = await readInvoker(xml).then(() => null, (thrown: unknown) => thrown);
  if (!(error instanceof InvokerFaults)) throw new Error(`Expected faults, not ${String(error)}.`);
  return error.faults.map(({ line, reason }) => `${line} ${reason}`);
}

describe('the XML of an invoker', () => {
  it('says after writing and reading what it said before', async () => {
    await fc.assert(fc.asyncProperty(invoker, async (definition) => {
      const once = await readInvoker(await writeInvoker(definition));
      expect(written(once)).toEqual(written(definition));
      expect(await readInvoker(await writeInvoker(once))).toEqual(once);
    }), { numRuns: rounds(300) });
  });

  it('is read as installations in the field write it', async () => {
    const { operations: [me], requiredData, ...rest } = await readInvoker(invokerXml('Demo'));
    expect(rest).toEqual({ name: 'Demo', type: 'RESTful', description: 'What it is', hint: null, icon: 'demo.png', authType: 'apikey', pagination: [] });
    expect(requiredData.map(({ name: field, visibility, value }) => [field, visibility, value])).toEqual([['url', 'public', ''], ['token', 'protected', ''], ['basic', 'private', 'Basic {user:token}']]);
    expect(me).toMatchObject({ name: 'GetMe', type: 'test', request: { method: 'GET', endpoint: '{url}/me', header: [{ name: 'Authorization', value: 'Bearer {token}' }], body: { value: { q: 'x' } } } });
    expect(me?.success?.body?.value).toEqual({ id: '', tickets: [{ title: '', tags: ['a', 'b'] }] });
    expect(me?.fail).toMatchObject({ status: '401', body: { value: { error: '' } } });
  });

  it('knows what the types of fields stand for', async () => {
    const read = await readInvoker(invokerXml('Demo', `<operation name="A" type=""><request><method>post</method><endpoint>
      {url}
    </endpoint><body type="object" format="json" data="raw">
      <field name="none" type="string">null</field><field name="empty" type="string"/><field name="text" type="number"> 1 </field>
      <field name="list" type="array"/><field name="texts" type="array">a,b ,c</field><field name="objects" type="array"><field name="a" type="int">1</field></field>
      <field name="object" type="object"><field name="__proto__" type="string">own</field></field><field name="nothing" type="object">
      </field><field name="twice" type="string">1</field><field name="twice" type="string">2</field>
    </body></request></operation>`));
    const { request, success } = read.operations[0] ?? {};
    expect([request?.method, request?.endpoint, success]).toEqual(['POST', '{url}', null]);
    const value = request?.body?.value ?? {};
    expect(JSON.stringify(value)).toBe('{"none":null,"empty":"","text":" 1 ","list":[],"texts":["a","b","c"],"objects":[{"a":"1"}],"object":{"__proto__":"own"},"nothing":{},"twice":"2"}');
    expect(({} as Record<string, unknown>).own).toBeUndefined();
  });

  it('takes a body without attributes and fields for none', async () => {
    const read = await readInvoker(invokerXml('Demo', '<operation name="A" type=""><request><method>GET</method><endpoint>{url}</endpoint><body/></request></operation>'));
    expect(read.operations[0]?.request.body).toBeNull();
  });

  it('tells everything that is wrong, each with its line', async () => {
    expect(await faultsOf(`<invoker>
<name>A</name><name>B</name>
<requiredData>
<item type="string" visibility="public"/>
<item name="url" visibility="secret" type="string"/>
<item name="url" type="string"/>
</requiredData>
<pagination><result/><colour/><page action="jump"/></pagination>
<operations>
<operation name="A"><request><method>GET IT</method></request></operation>
<operation name="A" type=""/>
<operation type=""><request><method>GET</method><endpoint> </endpoint><body format="json" data="raw"><field/></body></request>
<response><success/></response></operation>
</operations>
</invoker>`)).toEqual([
      '2 <invoker> has a second <name>.',
      '4 <item> has no attribute "name".',
      '5 The visibility is one of public, protected, private.',
      '6 <item> has no attribute "visibility".',
      '6 There is a field "url" already, on line 5.',
      '8 <pagination> needs a <result> with an attribute "ref": where the entries are.',
      '8 <colour> is no parameter of <pagination>. It has result, size, limit, offset, page, cursor, link, next, prev, has_more, order, sort, category.',
      '8 The action of <page> is one of read, write, increment, collect, fetch.',
      '10 <operation> has no attribute "type".',
      '10 <request> has no <endpoint>.',
      '10 <method> is a verb such as GET.',
      '11 <operation> has no <request>.',
      '11 There is an operation "A" already, on line 10.',
      '12 <operation> has no attribute "name".',
      '12 <endpoint> is empty.',
      '12 <body> has no attribute "type".',
      '12 <field> has no attribute "name".',
      '12 <field> has no attribute "type".',
      '13 <success> has no attribute "status".',
    ]);
  });

  it.each([
    ['another document', '<html><body/></html>', /outermost element is <html>/],
    ['no operation', '<invoker><name>A</name><operations/></invoker>', /at least one operation/],
    ['no name', `<invoker><operations>${operationXml('A')}</operations></invoker>`, /no <name>/],
    ['a blank name', invokerXml('  '), /<name> is empty/],
    ['a long name', invokerXml('n'.repeat(256)), /255 characters/],
    ['a name with what nobody sees', invokerXml('a\u200bb'), /cannot be seen/],
    ...['all', 'exists', 'refresh', 'synchronisation'].map((path): [string, string, RegExp] => [`the path ${path} as a name`, invokerXml(` ${path} `), /operation of the REST API/]),
    ...['.', '..'].map((step): [string, string, RegExp] => [`the step ${step} in a path as a name`, invokerXml(step), /no address could name it/]),
    ['a DOCTYPE', invokerXml('A').replace('<invoker', '<!DOCTYPE invoker>\n<invoker'), /2 A DOCTYPE/],
  ])('refuses %s', async (_, xml, reason) => {
    expect((await faultsOf(xml)).join('\n')).toMatch(reason);
  });

  it('tells a hundred faults of a file that has more', async () => {
    expect(await faultsOf(invokerXml('A', '<operation/>'.repeat(5_000)))).toHaveLength(100);
  });
});

describe('the invokers that come with the service', () => {
  const folder = join(__dirname, '../../src/features/invokers/shipped');

  it.each(readdirSync(folder))('%s can be read and written, and has a test', async (file) => {
    const read = await readInvoker(readFileSync(join(folder, file), 'utf8'));
    expect(read.operations.filter(({ type }) => type === 'test')).toHaveLength(1);
    expect(await readInvoker(await writeInvoker(read))).toEqual(read);
  });

  it('describe Hypha by operations it has', async () => {
    const { operations } = await readInvoker(readFileSync(join(folder, 'hypha.xml'), 'utf8'));
    const { paths } = JSON.parse(readFileSync(join(__dirname, '../../schema/openapi.json'), 'utf8')) as { paths: Record<string, Record<string, { responses: object }>> };
    const known = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, { responses }]) => ({ method: method.toUpperCase(), pattern: path.replace(/\{[^}]*\}/g, '1'), responses })));
    for (const { name: called, request, success } of operations) {
      const path = request.endpoint.replace('{url}', '').replace(/\?.*/, '');
      const found = known.find(({ method, pattern }) => method === request.method && pattern === path);
      expect([called, Object.keys(found?.responses ?? {})]).toEqual([called, expect.arrayContaining([success?.status])]);
    }
  });
});
