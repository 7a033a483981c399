import WebSocket from 'ws';
import type { LongestGaps } from './measure/loop-watch';
import type { BenchResult } from './result';
import { sent } from './stall/case';
import type { Case } from './stall/case';
import {
  DOCUMENT,
  GRAPHQL_DOCUMENTS,
  IMAGES,
  JSON_VALUES,
  LARGE,
  OPEN,
  QUERY_PIECES,
  SMALL,
} from './stall/documents';
import { importCases } from './stall/import-cases';
import { textCases } from './stall/text-cases';
import { workflowCases } from './stall/workflow-cases';
import { ADMIN, startProbedService } from './service/probed-service';
import type { ProbedService } from './service/probed-service';

const SHOWN = 12;
const SOCKET_MESSAGE = 250 * 1024;

interface DocumentCase {
  readonly area: string;
  readonly detail: string;
  readonly large?: true;
  readonly send: () => Promise<unknown>;
}

function documentCases({ url, adminToken: token }: ProbedService): Case[] {
  const call = async (
    method: string,
    path: string,
    body?: RequestInit['body'],
    headers: Record<string, string> = {},
  ): Promise<string> => (await fetch(url + path, { method, body, headers })).text();
  const json = { 'content-type': 'application/json' };
  const signedIn = { ...json, authorization: token };
  let title = 0;
  const workflow = (ui: string): string => `{"title":"stall ${++title}","ui":${ui}}`;
  const steps = (value: string): string =>
    `{"title":"stall ${++title}","fromConnector":{"methods":[{"id":"a","request":{"body":{"fields":${value}}}}],"operators":[]}}`;
  const save = async (body: string, otherwise: string): Promise<void> => {
    const saved = JSON.parse(await call('POST', '/api/connection', body, signedIn)) as {
      connectionId?: number;
    };
    if (saved.connectionId === undefined) return;
    await call('GET', `/api/connection/${saved.connectionId}`, undefined, signedIn);
    await call('PUT', `/api/connection/${saved.connectionId}`, body, signedIn);
    await call('PUT', `/api/connection/${saved.connectionId}`, otherwise, signedIn);
    await call('DELETE', `/api/connection/${saved.connectionId}`, undefined, signedIn);
  };
  const picture = (bytes: Buffer): Promise<string> => {
    const form = new FormData();
    form.append('email', ADMIN.email);
    form.append('file', new Blob([new Uint8Array(bytes)]), 'a.png');
    return call('POST', '/api/storage/profilePicture', form, { authorization: token });
  };
  const socket = (query: string, variables: string, withToken: boolean): Promise<void> =>
    new Promise((resolve) => {
      const client = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      client.on('open', () =>
        client.send(
          JSON.stringify({
            type: 'connection_init',
            payload: withToken ? { Authorization: token } : {},
          }),
        ),
      );
      client.on('message', (data: Buffer) => {
        if (data.includes('connection_ack'))
          client.send(
            `{"id":"1","type":"subscribe","payload":{"query":${JSON.stringify(query)},"variables":${variables}}}`,
          );
        else client.close();
      });
      client.on('error', () => undefined).on('close', () => resolve());
    });
  const SAVE =
    'mutation($ui: JSON) { workflowCreate(input: { title: "stall", ui: $ui }) { workflow { ui } userErrors { code } } }';
  const graphql = (
    query: string,
    variables: string,
    headers: Record<string, string>,
  ): Promise<string> =>
    call(
      'POST',
      '/graphql',
      `{"query":${JSON.stringify(query)},"variables":${variables}}`,
      headers,
    );

  const step = (more: object): string =>
    JSON.stringify({
      id: 'm',
      index: '0',
      methodType: 'HTTP_REQUEST',
      request: { method: 'GET', endpoint: 'http://127.0.0.1:9/', ...more },
    });
  const withStep = (more: object, rest = ''): string =>
    `{"title":"stall ${++title}","fromConnector":{"methods":[${step(more)}],"operators":[]}${rest}}`;
  const validate = (workflow: string): Promise<string> =>
    call('POST', '/api/connection/validate', workflow, signedIn);
  const text = 'a'.repeat(DOCUMENT);

  const values = Object.entries(JSON_VALUES);
  const documents = Object.entries(GRAPHQL_DOCUMENTS);
  const all: DocumentCase[] = [
    ...QUERY_PIECES.flatMap((piece): DocumentCase[] => [
      {
        area: 'REST, anonymous',
        detail: `15 KB of ${piece} in a query`,
        send: () => call('GET', `/api/x?${piece.repeat(15_000 / piece.length)}`),
      },
      {
        area: 'REST, anonymous',
        detail: `15 KB of ${piece} in a path`,
        send: () => call('GET', `/api/${piece.repeat(15_000 / piece.length)}`),
      },
    ]),
    {
      area: 'REST',
      detail: 'test run of a workflow with 4 MB of ui',
      large: true,
      send: () =>
        call(
          'POST',
          '/api/connection/execution/test',
          withStep({}, `,"ui":${JSON_VALUES.steps(DOCUMENT)}`),
          signedIn,
        ),
    },
    {
      area: 'REST',
      detail: 'validation of a body with a text of 4 MB',
      large: true,
      send: () =>
        validate(withStep({ body: { type: 'object', format: 'json', fields: { text } } })),
    },
    {
      area: 'REST',
      detail: 'validation of a description of 4 MB',
      large: true,
      send: () => validate(`{"title":"x","description":"${text}"}`),
    },
    {
      area: 'REST',
      detail: 'validation of an expression of 4 MB',
      large: true,
      send: () =>
        validate(
          `{"title":"x","fromConnector":{"methods":[],"operators":[{"id":"o","index":"0","type":"if","expression":"${text}"}]}}`,
        ),
    },
    {
      area: 'GraphQL, anonymous',
      detail: '20,000 {} in variables, eight at once',
      send: () =>
        Promise.all(
          Array.from({ length: 8 }, () =>
            graphql(SAVE, `{"ui":[${'{},'.repeat(20_000)}{}]}`, json),
          ),
        ),
    },
    ...values.flatMap(([detail, value]): DocumentCase[] => [
      {
        area: 'REST, anonymous',
        detail: `login: ${detail}`,
        send: () => call('POST', '/api/login', `{"email":${value(OPEN)},"password":"x"}`, json),
      },
      {
        area: 'REST, anonymous',
        detail: `login by password: ${detail}`,
        send: () =>
          call('POST', '/api/login', `{"email":"${ADMIN.email}","password":${value(OPEN)}}`, json),
      },
      {
        area: 'REST',
        detail: `user: ${detail}`,
        send: () => call('POST', '/api/user', value(SMALL), signedIn),
      },
      {
        area: 'REST',
        detail: `user's name: ${detail}`,
        send: () =>
          call(
            'POST',
            '/api/user',
            `{"email":"a@b.c","password":"abcdefgh","userGroup":2,"userDetail":{"name":${value(SMALL)},"surname":"x"}}`,
            signedIn,
          ),
      },
      {
        area: 'REST',
        detail: `workflow: ${detail}`,
        send: () => save(workflow(value(SMALL)), workflow(`[${value(SMALL)}]`)),
      },
      {
        area: 'REST',
        detail: `step: ${detail}`,
        send: () => save(steps(value(SMALL)), steps(`[${value(SMALL)}]`)),
      },
      {
        area: 'REST',
        detail: `title: ${detail}`,
        send: () => call('POST', '/api/connection', `{"title":${value(SMALL)}}`, signedIn),
      },
      {
        area: 'GraphQL, anonymous',
        detail: `variable: ${detail}`,
        send: () => graphql(SAVE, `{"ui":${value(OPEN)}}`, json),
      },
      {
        area: 'GraphQL',
        detail: `variable: ${detail}`,
        send: () => graphql(SAVE, `{"ui":${value(SMALL)}}`, signedIn),
      },
      {
        area: 'GraphQL',
        detail: `variable of another type: ${detail}`,
        send: () =>
          graphql(
            'query($filter: UserFilter) { users(filter: $filter) { totalCount } }',
            `{"filter":${value(SMALL)}}`,
            signedIn,
          ),
      },
      {
        area: 'socket, anonymous',
        detail: `variable: ${detail}`,
        send: () => socket(SAVE, `{"ui":${value(SOCKET_MESSAGE)}}`, false),
      },
      {
        area: 'socket',
        detail: `variable: ${detail}`,
        send: () => socket(SAVE, `{"ui":${value(SOCKET_MESSAGE)}}`, true),
      },
      {
        area: 'REST',
        detail: `workflow of 4 MiB: ${detail}`,
        large: true,
        send: () => save(workflow(value(DOCUMENT)), workflow('[]')),
      },
      {
        area: 'REST',
        detail: `step of 4 MiB: ${detail}`,
        large: true,
        send: () => save(steps(value(DOCUMENT)), steps('[]')),
      },
    ]),
    ...documents.flatMap(([detail, document]) =>
      [15_000, SMALL].flatMap((size): DocumentCase[] => [
        {
          area: 'GraphQL, anonymous',
          detail: `${size > 20_000 ? '60' : '15'} KB of ${detail}`,
          send: () => graphql(document(Math.min(size, OPEN)), '{}', json),
        },
        {
          area: 'GraphQL',
          detail: `${size > 20_000 ? '1 MiB' : '15 KB'} of ${detail}`,
          send: () => graphql(document(size), '{}', signedIn),
        },
        {
          area: 'socket',
          detail: `${size > 20_000 ? '250' : '15'} KB of ${detail}`,
          send: () => socket(document(Math.min(size, SOCKET_MESSAGE)), '{}', true),
        },
      ]),
    ),
    ...Object.entries(IMAGES).flatMap(([detail, image]): DocumentCase[] => [
      { area: 'upload', detail, send: () => picture(image(SMALL)) },
      {
        area: 'upload',
        detail: `20 MiB, ${detail}`,
        large: true,
        send: () => picture(image(LARGE)),
      },
    ]),
  ];
  return all.map(({ area, detail, large, send }) => ({ ...sent(area, detail, send), large }));
}

/** The token of a user who may read workflows, and not the secrets in them. */
async function readerOf(service: ProbedService): Promise<string> {
  const person = { email: 'reader@hypha.test', password: 'correct horse battery' };
  const {
    body: {
      _embedded: { componentResources },
    },
  } = await service.api('GET', '/api/component/all');
  const { enhanceId } = componentResources.find(
    ({ name }: { name: string }) => name === 'CONNECTION',
  );
  const { body: group } = await service.api('POST', '/api/userGroup', {
    body: {
      name: 'Readers',
      description: '',
      icon: null,
      components: [{ enhanceId, name: 'CONNECTION', permissions: ['READ'] }],
    },
  });
  await service.api('POST', '/api/user', {
    body: { ...person, userGroup: group.enhanceId, userDetail: { name: 'Reader', surname: 'x' } },
  });
  const login = await service.api('POST', '/api/login', { token: null, body: person });
  const token = login.headers.get('authorization');
  if (token === null) throw new Error(`The reader could not sign in: ${login.text}`);
  return token;
}

interface Stall extends LongestGaps {
  readonly name: string;
  readonly isLarge: boolean;
}

const nameOf = ({ area, detail }: Case): string => `${area}: ${detail}`;
const FILTERS = (process.env.STALL_OF ?? '').split(',');
const filterCases = (cases: readonly Case[]): Case[] =>
  cases.filter((each) => FILTERS.some((part) => nameOf(each).includes(part)));

async function stallsOf(service: ProbedService, cases: readonly Case[]): Promise<Stall[]> {
  const stalls: Stall[] = [];
  for (const each of cases) {
    const work = await each.prepare();
    const gaps = await service.stallOf(work).catch((cause: unknown) => {
      throw new Error(`The case failed: ${nameOf(each)}`, { cause });
    });
    stalls.push({ name: nameOf(each), isLarge: each.large === true, ...gaps });
  }
  return stalls;
}

/**
 * The worst documents we know, sent to each API of a service in a process of its own: how long does everything else wait? Reported is the
 * event loop's own work: processor time of its thread between two iterations. The wall clock next to it also counts other processes, and
 * the time in which the loop waited for its own helper threads (garbage collection).
 * `STALL_OF=upload,secrets` sends only those that have one of the words in their names.
 */
export async function run(): Promise<BenchResult[]> {
  const service = await startProbedService();
  try {
    const documents = filterCases(documentCases(service));
    const storing = filterCases([
      ...workflowCases(service, await readerOf(service)),
      ...importCases(service),
      ...textCases(service),
    ]);
    // A first pass without measuring: compilers and pools take some of their time only once.
    for (const { prepare } of [...documents, ...storing].filter(({ large }) => !large))
      await (
        await prepare()
      )();
    const before = await service.memory();
    const stalls = await stallsOf(service, documents);
    // What the other cases store stays, and its pages count as memory.
    const after = await service.memory();
    stalls.push(...(await stallsOf(service, storing)));
    const sorted = stalls.sort((one, other) => other.own - one.own);
    const [small, big] = [
      sorted.filter(({ isLarge }) => !isLarge),
      sorted.filter(({ isLarge }) => isLarge),
    ];
    const row = ({ name, own, wall }: Stall): BenchResult => ({
      name: `  ${name}`,
      value: own,
      unit: 'ms',
      detail: `${Math.round(wall)} by the clock`,
    });
    return [
      {
        name: `longest stall of ${small.length} documents up to 1 MiB`,
        value: small[0]?.own ?? 0,
        unit: 'ms',
        target: { below: 50 },
      },
      ...small.slice(0, SHOWN).map(row),
      {
        name: `longest stall of ${big.length} larger documents`,
        value: big[0]?.own ?? 0,
        unit: 'ms',
        target: { below: 150 },
      },
      ...big.slice(0, SHOWN).map(row),
      {
        name: 'memory afterwards, of that before',
        value: after / before,
        unit: '',
        target: { below: 1.3 },
        judged: true,
        detail: `${Math.round(before / 1e6)} MB before`,
      },
    ];
  } finally {
    await service.close();
  }
}
