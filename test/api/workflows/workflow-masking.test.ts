import fc from 'fast-check';
import {
  maskDocument,
  maskText as rewritten,
} from '../../../src/features/workflows/masking/mask-document';
import { restoreDocument } from '../../../src/features/workflows/masking/restore-document';
import { readDocument } from '../../../src/features/workflows/document/workflow-document';
import { Findings } from '../../../src/platform/errors/findings';
import { testService, unique } from '../../support/service/harness';
import {
  fields,
  MARK,
  methods,
  secret,
  sentText,
  sentUrl,
} from '../../support/documents/secret-documents';
import { method, saved, workflow } from '../../support/documents/workflows';
import { rounds } from '../../support/rounds';

const maskText = (text: string): string => rewritten(text);

const service = testService();
let reader: string;
let updater: string;
let creator: string;
beforeAll(async () => {
  [reader, updater, creator] = (
    await Promise.all(
      [
        ['CONNECTION:READ'],
        ['CONNECTION:READ', 'CONNECTION:UPDATE'],
        ['CONNECTION:READ', 'CONNECTION:CREATE'],
      ].map((grants) => service.userWith(grants)),
    )
  ).map(({ token }) => token);
});

const STEPS =
  '{ ... on MethodStep { name connector { title } response request { endpoint header body { fields } } } }';
const DOCUMENT = `query($id: ID!) { workflow(id: $id) { ui steps ${STEPS} fieldBindings { from { field } } versions(first: 5) { nodes { steps ${STEPS} } } }
  workflows(first: 100) { nodes { ui steps ${STEPS} } } }`;
const read = (id: number, token?: string) =>
  service.body('GET', `/api/connection/${id}`, { token });
const put = (id: number, body: unknown, token = updater) =>
  service.api('PUT', `/api/connection/${id}`, { token, body });

async function shown(id: number, token: string): Promise<string[]> {
  return [
    JSON.stringify(await read(id, token)),
    (await service.api('GET', '/api/connection/all', { token })).text,
    JSON.stringify(await service.data(DOCUMENT, { id }, token)),
  ];
}

describe('secrets in workflows', () => {
  it('are hidden in every API from users who may not change them, and shown to others', async () => {
    await fc.assert(
      fc.asyncProperty(methods, secret, async (list, hidden) => {
        const id = await saved(
          service,
          workflow(list, [], {
            ui: { node: { headers: { 'X-Key': hidden } } },
            legacy: { connector: { requestData: { password: hidden } } },
          }),
        );
        for (const text of await shown(id, reader)) expect(text).not.toContain(MARK);
        expect(
          (await read(id, updater)).fromConnector.methods.map((step: any) => step.request),
        ).toEqual(list.map((step) => step.request));
        expect(
          (await read(id, reader)).fromConnector.methods.map((step: any) => step.name),
        ).toEqual(list.map((step) => step.name));
        await service.api('DELETE', `/api/connection/${id}`);
      }),
      { numRuns: 4 },
    );
  });

  it('stay hidden however often the same operation was executed for others', async () => {
    const header = { Authorization: `Bearer ${MARK}` };
    const step = method('0', 'http://127.0.0.1:9/', {
      request: { endpoint: 'http://127.0.0.1:9/', method: 'GET', header, body: null },
    });
    const id = await saved(service, workflow([step]));
    const query = `query($id: ID!) { workflow(id: $id) { steps ${STEPS} } }`;
    const seenBy = async (token: string): Promise<unknown> =>
      (await service.field(query, { id }, token)).steps[0].request.header;
    for (let time = 0; time < 3; time += 1) {
      expect(await seenBy(updater)).toEqual(header);
      expect(await seenBy(reader)).toEqual({ Authorization: '***' });
    }
  });

  it('are kept when a masked copy is written back', async () => {
    await fc.assert(
      fc.asyncProperty(methods, async (list) => {
        const id = await saved(service, workflow(list));
        const before = await read(id);
        const answer = await put(id, { ...(await read(id, reader)), description: 'written back' });
        expect(answer.status).toBe(200);
        expect(answer.body.fromConnector).toEqual(before.fromConnector);
        expect((await read(id)).fromConnector).toEqual(before.fromConnector);
        await service.api('DELETE', `/api/connection/${id}`);
      }),
      { numRuns: 4 },
    );
  });

  const SECRET_STEP = {
    id: 's',
    request: {
      endpoint: 'https://me:pw@remote.test/?api_key=one&page=2&token=two',
      method: 'POST',
      header: {
        Authorization: 'Bearer three',
        Accept: 'text/plain',
        'X-Ref': '{%#FFCFB5.(response).body.a%}',
        Cookie: '{token}',
      },
      body: {
        type: 'object',
        format: 'json',
        data: 'raw',
        fields: {
          user: 'u',
          pin: 1234,
          login: { password: 'four', again: '{token}' },
          list: [{ name: 'secret', value: 'five' }],
        },
      },
    },
  };
  const MASKED_REQUEST = {
    endpoint: 'https://me:***@remote.test/?api_key=***&page=2&token=***',
    method: 'POST',
    header: {
      Authorization: '***',
      Accept: 'text/plain',
      'X-Ref': '{%#FFCFB5.(response).body.a%}',
      Cookie: '{token}',
    },
    body: {
      type: 'object',
      format: 'json',
      data: 'raw',
      fields: {
        user: 'u',
        pin: '***',
        login: { password: '***', again: '{token}' },
        list: [{ name: 'secret', value: '***' }],
      },
    },
  };

  it('are masked as *** one by one without hiding other fields', async () => {
    const id = await saved(service, workflow([method('0', 'http://x.test', SECRET_STEP)]));
    expect((await read(id, reader)).fromConnector.methods[0].request).toEqual(MASKED_REQUEST);
    const one = await service.field(
      `query($id: ID!) { workflow(id: $id) { steps ${STEPS} versions { nodes { steps ${STEPS} } } } }`,
      { id },
      reader,
    );
    const { method: _verb, ...request } = MASKED_REQUEST;
    const expected = { ...request, body: { fields: request.body.fields } };
    expect(one.steps[0].request).toEqual(expected);
    expect(one.versions.nodes[0].steps[0].request).toEqual(expected);
    await service.api('DELETE', `/api/connection/${id}`);
    const auditEvents = await service.field(
      '{ auditEvents(first: 1, filter: { action: { eq: WORKFLOW_DELETE } }) { nodes { before } } }',
    );
    expect(auditEvents.nodes[0].before.document.fromConnector.methods[0].request).toEqual(
      MASKED_REQUEST,
    );
  });

  it('stay when a masked step is moved, changed or saved over GraphQL', async () => {
    const id = await saved(
      service,
      workflow([method('0', 'http://x.test', SECRET_STEP), method('1', 'http://y.test')]),
    );
    const masked = await read(id, reader);
    const [first, second] = masked.fromConnector.methods;
    const moved = {
      ...first,
      request: {
        ...first.request,
        endpoint: 'https://me:***@elsewhere.test/?new=1&api_key=***&token=changed',
      },
    };
    expect(
      (
        await put(id, {
          ...masked,
          fromConnector: { ...masked.fromConnector, methods: [second, moved] },
        })
      ).status,
    ).toBe(200);
    const [, stored] = (await read(id)).fromConnector.methods;
    expect(stored.request).toEqual({
      ...SECRET_STEP.request,
      endpoint: 'https://me:pw@elsewhere.test/?new=1&api_key=one&token=changed',
    });
    const SAVE =
      'mutation($input: WorkflowUpdateInput!) { workflowUpdate(input: $input) { workflow { version } userErrors { code path } } }';
    const input = {
      id,
      methods: [{ stepId: 's', request: { header: { Authorization: '***', 'X-New': 'n' } } }],
    };
    expect((await service.field(SAVE, { input }, updater)).userErrors).toEqual([]);
    expect((await read(id)).fromConnector.methods[0].request.header).toEqual({
      Authorization: 'Bearer three',
      'X-New': 'n',
    });
    const wrong = {
      id,
      methods: [{ stepId: 'm1', request: { header: { Authorization: '***' } } }],
    };
    expect(await service.field(SAVE, { input: wrong }, updater)).toEqual({
      workflow: null,
      userErrors: [
        {
          code: 'SECRET_NOT_STORED',
          path: ['methods', '0', 'request', 'header', 'Authorization'],
        },
      ],
    });
  });

  it.each<[string, (request: any) => object]>([
    ['another step', () => ({ id: 'other' })],
    [
      'another header',
      ({ header }) => ({
        request: { ...SECRET_STEP.request, header: { ...header, 'X-More': '***' } },
      }),
    ],
    ['a field that is not hidden', () => ({ name: '***' })],
    [
      'another field of the body',
      () => ({ request: { ...SECRET_STEP.request, body: { fields: { token: '***' } } } }),
    ],
    [
      'another parameter',
      () => ({
        request: { ...SECRET_STEP.request, endpoint: 'https://remote.test/?access_token=***' },
      }),
    ],
    [
      'a second parameter of the name',
      () => ({
        request: { ...SECRET_STEP.request, endpoint: 'https://remote.test/?token=***&token=***' },
      }),
    ],
  ])('are not stored as ***: 400 for %s', async (_what, change) => {
    const id = await saved(service, workflow([method('0', 'http://x.test', SECRET_STEP)]));
    const masked = await read(id, reader);
    const [step] = masked.fromConnector.methods;
    const answer = await put(id, {
      ...masked,
      fromConnector: { ...masked.fromConnector, methods: [{ ...step, ...change(step.request) }] },
    });
    expect([answer.status, answer.body.message]).toEqual([400, 'WORKFLOW_INVALID']);
    expect((await read(id)).fromConnector.methods[0].request).toEqual(SECRET_STEP.request);
  });

  it('are not stored as *** in a new workflow or a test run, and not echoed', async () => {
    const id = await saved(service, workflow([method('0', 'http://x.test', SECRET_STEP)]));
    const masked = { ...(await read(id, reader)), title: unique('Copy ') };
    expect((await service.api('POST', '/api/connection', { body: masked })).body.message).toBe(
      'WORKFLOW_INVALID',
    );
    expect(
      (await service.api('POST', '/api/connection/execution/test', { body: masked })).body.message,
    ).toBe('WORKFLOW_INVALID');
    const made = await service.api('POST', '/api/connection', {
      token: creator,
      body: workflow([method('0', 'http://x.test', SECRET_STEP)]),
    });
    expect(made.body.fromConnector.methods[0].request).toEqual(MASKED_REQUEST);
  });

  it('cannot be guessed from the content hash, which is shown for UPDATE only and not audited', async () => {
    const id = await saved(service, workflow([method('0', 'http://x.test', SECRET_STEP)]));
    const HASHES = 'query($id: ID!) { workflow(id: $id) { versions { nodes { contentHash } } } }';
    const hashes = async (token?: string) =>
      (await service.field(HASHES, { id }, token)).versions.nodes;
    const [{ contentHash }] = await hashes(updater);
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
    for (const token of [reader, creator])
      expect(await hashes(token)).toEqual([{ contentHash: null }]);
    const AUDIT =
      'query($filter: AuditEventFilter) { auditEvents(first: 5, filter: $filter) { nodes { action before after } } }';
    const auditEvents = await service.field(AUDIT, {
      filter: { targetId: { eq: `${id}` }, targetType: { eq: 'WORKFLOW' } },
    });
    expect(auditEvents.nodes.map(({ action }: any) => action)).toEqual(['WORKFLOW_CREATE']);
    expect(JSON.stringify(auditEvents)).not.toContain(contentHash);
  });

  it('are all hidden in a masked document, which is masked no further and can be written back', () => {
    fc.assert(
      fc.property(methods, fields, (list, more) => {
        const found = new Findings();
        const document = found.passed(readDocument({ ...workflow(list), more }, found));
        const masked = maskDocument(document);
        expect(JSON.stringify(masked)).not.toContain(MARK);
        expect(maskDocument(masked)).toEqual(masked);
        expect(restoreDocument(masked, document).document).toEqual(document);
      }),
      { numRuns: rounds(300) },
    );
  });

  it('are found in every kind of text, and a masked text is masked no further', () => {
    fc.assert(
      fc.property(fc.oneof(sentText, sentUrl), (text) => {
        const masked = maskText(text);
        expect(masked).not.toContain(MARK);
        expect(maskText(masked)).toBe(masked);
      }),
      { numRuns: rounds(1_000) },
    );
  });
});
