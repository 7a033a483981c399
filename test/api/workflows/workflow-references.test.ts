import { testService, unique } from '../../support/service/harness';
import { imported, newConnector, TICKETS } from '../../support/documents/connector-invokers';
import {
  importedInvoker,
  invokerXml,
  operationXml,
  uploadInvoker,
} from '../../support/documents/invokers';
import { patch, read } from '../../support/calls/patches';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const NOBODY = 4_711;
const url = 'http://remote.test/';

type ProblemRow = [stepId: string | null, field: string | null, code: string];
const rowsOf = (
  problems: { stepId: string | null; field: string | null; code: string }[],
): ProblemRow[] => problems.map(({ stepId, field, code }) => [stepId, field, code]);

async function validated(document: unknown): Promise<ProblemRow[]> {
  const { status, body } = await service.api('POST', '/api/connection/validate', {
    body: document,
  });
  expect([status, body.valid]).toEqual([200, body.errors.length === 0]);
  return rowsOf(body.errors);
}

async function problemsOf(id: number): Promise<ProblemRow[]> {
  const shown = await service.field(
    'query($id: ID!) { workflow(id: $id) { validation { stepId field code } } }',
    { id },
  );
  const problems = rowsOf(shown.validation);
  expect(await validated((await read(service, id)).body)).toEqual(problems);
  return problems;
}

/** The workflow can still be read, saved and patched after a referenced record was deleted. */
async function staysUsable(id: number): Promise<void> {
  const { body, text } = await read(service, id);
  expect(body.connectionId).toBe(id);
  const again = await service.api('PUT', `/api/connection/${id}`, { body });
  expect([again.status, again.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  expect((await read(service, id)).text).toBe(text);
  expect(
    (await patch(service, id, [{ op: 'replace', path: '/description', value: unique('Changed ') }]))
      .status,
  ).toBe(200);
}

const newSecret = async (): Promise<{ id: number; name: string }> => {
  const { body } = await service.api('POST', '/api/secret', {
    body: { name: unique('key').replaceAll(' ', ''), value: 'v', origins: ['http://remote.test'] },
  });
  return { id: body.secretId, name: body.name };
};
const newCategory = async (): Promise<number> =>
  (await service.api('POST', '/api/category', { body: { name: unique('Category ') } })).body
    .id as number;

const calling = (index: string, connector: object, name: string): object =>
  method(index, '{url}/me', { methodType: 'CONNECTOR', name, connector });
/** As in a template: the invoker of the connector is known, the connector is not. */
const ofInvoker = (index: string, invoker: unknown, name = 'GetMe'): object =>
  calling(index, { connectorId: null, title: null, invoker }, name);
const ofConnector = (index: string, connectorId: number, name = 'GetMe'): object =>
  calling(index, { connectorId, title: 'Tickets' }, name);
const withSecret = (index: string, name: string): object =>
  method(index, url, {
    request: { endpoint: url, method: 'GET', header: { 'X-Key': `{%secret.${name}%}` } },
  });

describe('the references of a workflow', () => {
  it('are all reported at their steps if they are unknown', async () => {
    const invoker = await imported(service);
    const connector = await newConnector(service, invoker);
    const document = workflow(
      [
        ofConnector('0', connector, 'GetNothing'),
        ofConnector('1', NOBODY),
        ofInvoker('2', { name: 'Nobody' }),
        ofInvoker('3', { name: invoker }, 'getme'),
        withSecret('4', 'no-such-secret'),
        ofInvoker('5', { name: invoker }, ''),
      ],
      [],
      { categoryId: NOBODY },
    );
    expect(await validated(document)).toEqual([
      ['m0', 'name', 'OPERATION_NOT_FOUND'],
      ['m1', 'connector.connectorId', 'CONNECTOR_NOT_FOUND'],
      ['m2', 'connector.invoker', 'INVOKER_NOT_FOUND'],
      ['m3', 'name', 'OPERATION_NOT_FOUND'],
      ['m4', 'request.header.X-Key', 'SECRET_NOT_FOUND'],
      ['m5', 'name', 'OPERATION_NOT_FOUND'],
      [null, 'categoryId', 'CATEGORY_NOT_FOUND'],
    ]);
  });

  it('are not reported if they exist, for any spelling of the invoker', async () => {
    const invoker = await imported(service, TICKETS, unique('Größe '));
    const connector = await newConnector(service, invoker);
    const secret = await newSecret();
    const spellings = [
      invoker,
      invoker.toUpperCase(),
      invoker.toLowerCase(),
      ` ${invoker.replace('ß', 'ss')} `,
    ];
    const document = workflow(
      [
        ofConnector('0', connector),
        ...spellings.map((name, at) => ofInvoker(`${at + 1}`, at % 2 ? name : { name })),
        withSecret('7', secret.name.toUpperCase()),
      ],
      [],
      { categoryId: await newCategory() },
    );
    expect(await validated(document)).toEqual([]);
    expect(await problemsOf(await saved(service, document))).toEqual([]);
  });

  it('name only fields that the operation of their step declares', async () => {
    const fields =
      '<body type="object" format="json" data="raw"><field name="rows" type="array"><field name="id" type="string"/><field name="any" type="object"/></field></body>';
    const invoker = await imported(service, {
      ...TICKETS,
      operations: [
        {
          name: 'List',
          endpoint: '{url}/rows',
          response: `<success status="200">${fields}</success><fail status="401"><body type="object" format="json" data="raw"><field name="error" type="string"/></body></fail>`,
        },
        { name: 'Free', endpoint: '{url}/free' },
      ],
    });
    const [list, free] = ['#AAAAAA', '#BBBBBB'];
    const reading = (index: string, reference: string): object =>
      method(index, `${url}/{%${reference}%}`);
    const document = workflow([
      { ...ofInvoker('0', { name: invoker }, 'List'), color: list },
      { ...ofInvoker('1', { name: invoker }, 'Free'), color: free },
      reading('2', `${list}.(response).success.rows[0].id`),
      reading('3', `${list}.(response).success.rows.ids`),
      reading('4', `${list}.(response).body.error`),
      reading('5', `${list}.(response).fail.errors`),
      reading('6', `${list}.(response).body.rows[*].any.thing`),
      reading('7', `${list}.(response).header.X-Any`),
      reading('8', `${free}.(response).body.anything`),
      reading('9', `${list}.(response).body.row`),
    ]);
    expect(await validated(document)).toEqual([
      ['m3', 'request.endpoint', 'REFERENCE_FIELD_UNKNOWN'],
      ['m5', 'request.endpoint', 'REFERENCE_FIELD_UNKNOWN'],
      ['m9', 'request.endpoint', 'REFERENCE_FIELD_UNKNOWN'],
    ]);
  });

  it('are checked against the current invoker', async () => {
    const invoker = await importedInvoker(service);
    const document = workflow([ofInvoker('0', invoker, 'GetMe'), ofInvoker('1', invoker, 'PutMe')]);
    expect(await validated(document)).toEqual([['m1', 'name', 'OPERATION_NOT_FOUND']]);
    expect((await uploadInvoker(service, invokerXml(invoker, operationXml('PutMe')))).status).toBe(
      201,
    );
    expect(await validated(document)).toEqual([['m0', 'name', 'OPERATION_NOT_FOUND']]);
  });

  it('are reported for any invalid invoker name', async () => {
    for (const name of ['x'.repeat(100_000), 'a\u0000b', '\ud800', ' ', '__proto__']) {
      expect(await validated(workflow([ofInvoker('0', { name })]))).toEqual([
        ['m0', 'connector.invoker', 'INVOKER_NOT_FOUND'],
      ]);
    }
  });
});

describe('forced deletion of a referenced record', () => {
  it('of a connector is reported by the workflow, and rejected without force', async () => {
    const invoker = await imported(service);
    const [one, other] = [
      await newConnector(service, invoker),
      await newConnector(service, invoker),
    ];
    const id = await saved(service, workflow([ofConnector('0', one), ofConnector('1', other)]));
    expect(await problemsOf(id)).toEqual([]);
    expect(await service.status('DELETE', `/api/connector/${one}`)).toBe(409);
    expect(await problemsOf(id)).toEqual([]);
    expect(await service.status('DELETE', `/api/connector/${one}?force=true`)).toBe(204);
    expect(await problemsOf(id)).toEqual([['m0', 'connector.connectorId', 'CONNECTOR_NOT_FOUND']]);
    await staysUsable(id);
    expect(
      await service.status('PUT', '/api/connector/list/delete?force=true', {
        body: { identifiers: [other] },
      }),
    ).toBe(204);
    expect(await problemsOf(id)).toEqual([
      ['m0', 'connector.connectorId', 'CONNECTOR_NOT_FOUND'],
      ['m1', 'connector.connectorId', 'CONNECTOR_NOT_FOUND'],
    ]);
  });

  it.each<[string, (name: string) => Promise<number>]>([
    ['/force', (name) => service.status('DELETE', `/api/invoker/${name}/force`)],
    [
      'a list',
      (name) =>
        service.status('PUT', '/api/invoker/list/delete?force=true', {
          body: { identifiers: [name, name.toUpperCase()] },
        }),
    ],
    [
      'the graph',
      async (name) => {
        const invoker = await service.field(
          'query($name: String) { invoker(name: $name) { id } }',
          { name },
        );
        const invokerDelete = await service.mutate(
          'invokerDelete',
          { id: invoker.id, force: true },
          'invoker { name } userErrors { code }',
        );
        return invokerDelete.invoker?.name === name ? 204 : 500;
      },
    ],
  ])(
    'of an invoker (%s) keeps its connectors, and the steps that need it report the loss',
    async (_how, remove) => {
      const invoker = await imported(service, TICKETS, unique('Gone').replaceAll(' ', ''));
      const connector = await newConnector(service, invoker);
      const id = await saved(
        service,
        workflow([ofConnector('0', connector), ofInvoker('1', { name: invoker })]),
      );
      expect(await problemsOf(id)).toEqual([]);
      expect(await remove(invoker)).toBe(204);
      expect((await service.api('GET', `/api/connector/${connector}`)).body.invoker.name).toBe(
        invoker,
      );
      expect(await problemsOf(id)).toEqual([
        ['m0', 'connector.invoker', 'INVOKER_NOT_FOUND'],
        ['m1', 'connector.invoker', 'INVOKER_NOT_FOUND'],
      ]);
      await staysUsable(id);
      await imported(service, TICKETS, invoker.toUpperCase());
      expect(await problemsOf(id)).toEqual([]);
    },
  );

  it('of a secret is reported by the workflow', async () => {
    const secret = await newSecret();
    const id = await saved(service, workflow([withSecret('0', secret.name)]));
    expect(await problemsOf(id)).toEqual([]);
    expect(await service.status('DELETE', `/api/secret/${secret.id}?force=true`)).toBe(204);
    expect(await problemsOf(id)).toEqual([['m0', 'request.header.X-Key', 'SECRET_NOT_FOUND']]);
    await staysUsable(id);
  });

  it('of a category removes it from the workflow and is reported by earlier versions', async () => {
    const category = await newCategory();
    const id = await saved(service, workflow([], [], { categoryId: category }));
    const {
      body: { nodeId },
    } = await read(service, id);
    expect(
      await service.status('PUT', `/api/connection/${id}`, {
        body: { ...(await read(service, id)).body, description: 'Later' },
      }),
    ).toBe(200);
    expect(await service.status('DELETE', `/api/category/${category}`)).toBe(204);
    expect([(await read(service, id)).body.categoryId, await problemsOf(id)]).toEqual([null, []]);
    await staysUsable(id);
    expect(await service.status('PUT', `/api/connection/${id}/switch-version/${nodeId}`)).toBe(200);
    expect(await problemsOf(id)).toEqual([[null, 'categoryId', 'CATEGORY_NOT_FOUND']]);
    await staysUsable(id);
  });
});
