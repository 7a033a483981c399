import { answerJson, startRemote } from '../engine/support/remote';
import type { Handler } from '../engine/support/remote';
import { imported, newConnector } from '../support/documents/connector-invokers';
import type { OperationXml } from '../support/documents/connector-invokers';
import { testService } from '../support/service/harness';
import { ended, runEvents } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { openForTests } from '../support/open-for-tests';

const ITEMS = Array.from({ length: 7 }, (_, index) => ({ id: index, note: '@{limit} {token}' }));
const paged = (
  name: string,
  endpoint: string,
  pagination: string,
  more: Partial<OperationXml> = {},
): OperationXml => ({
  name,
  type: 'page',
  endpoint,
  pagination: `<pagination>${pagination}</pagination>`,
  ...more,
});
const RESULT = '<result ref="response.body.$.items" action="collect"/>';
const OPERATIONS: OperationXml[] = [
  paged(
    'Offset',
    '{url}/offset?offset=@{offset}&limit=@{limit}',
    `<limit>3</limit>${RESULT}<offset action="increment">0</offset><size ref="response.body.$.total" action="read"/>`,
    { header: { Authorization: 'Bearer {token}' } },
  ),
  paged(
    'Page',
    '{url}/page',
    `${RESULT}<page action="increment">1</page><has_more ref="response.body.$.meta.more"/>`,
    {
      method: 'POST',
      body: '<body type="object" format="json" data="raw"><field name="page" type="string">@{page}</field><field name="text" type="string">page @{page}, @{nothing}</field></body>',
    },
  ),
  paged('Cursor', '{url}/cursor?after=@{cursor}', `${RESULT}<cursor ref="response.body.$.next"/>`),
  paged(
    'Link',
    '{url}/link',
    '<result ref="response.body.$"/><link ref="response.header.$.Link" action="fetch"/>',
    { header: { Authorization: 'Bearer {token}' } },
  ),
  paged('Keyed', '{url}/cursor?after=@{cursor}', `${RESULT}<cursor ref="response.body.$.next"/>`, {
    header: { 'X-Key': '{%secret.of-pages%}' },
  }),
  paged('Carried', '{url}/cursor?after=@{cursor}', `${RESULT}<cursor>{%secret.of-pages%}</cursor>`),
  paged('Endless', '{url}/endless', `${RESULT}<has_more ref="response.body.$.more"/>`),
  paged(
    'Written',
    '{url}/offset?offset=99&limit=3&x=a%20b#f',
    `<limit>3</limit>${RESULT}<offset action="write" ref="request.url.$.offset">0</offset><size ref="response.body.$.total"/>`,
  ),
  paged(
    'Appended',
    '{url}/offset',
    `<limit action="write" ref="request.url.$.limit">3</limit>${RESULT}<offset action="write" ref="request.url.$.offset">0</offset><size ref="response.body.$.total"/>`,
  ),
  paged(
    'Header',
    '{url}/header',
    `${RESULT}<cursor ref="response.body.$.next"/><cursor action="write" ref="request.header.$.X-After"/>`,
    { header: { 'x-after': 'first' } },
  ),
  paged(
    'Body',
    '{url}/page',
    `${RESULT}<page action="write" ref="request.body.$.page">1</page><page action="write" ref="request.body.$.paging.nth"/><has_more ref="response.body.$.meta.more"/>`,
    {
      method: 'POST',
      body: '<body type="object" format="json" data="raw"><field name="page" type="string">none</field><field name="kept" type="string">yes</field></body>',
    },
  ),
  paged(
    'Sorted',
    '{url}/sorted',
    `${RESULT}<cursor ref="response.body.$.last"/><cursor action="write" ref="request.body.$.search_after"/>`,
    { method: 'POST' },
  ),
  paged(
    'Xml',
    '{url}/xml?offset=@{offset}',
    '<limit>2</limit><result ref="response.body.$.o:orders.list.order"/><offset action="increment">0</offset><size ref="response.body.$.orders.@total"/>',
  ),
  paged(
    'Deep',
    '{url}/cursor?after=@{cursor}',
    '<result ref="response.body.$.__proto__.deep.items"/><cursor ref="response.body.$.next"/>',
  ),
  paged(
    'XmlDeep',
    '{url}/xml-cursor?after=@{cursor}',
    '<result ref="response.body.$.page.deep.list.item"/><cursor ref="response.body.$.next"/>',
  ),
  paged(
    'XmlCursor',
    '{url}/xml-cursor?after=@{cursor}',
    '<result ref="response.body.$.item"/><cursor ref="response.body.$.next"/>',
  ),
  {
    name: 'Plain',
    endpoint: '{url}/plain?x=@{offset}',
    pagination: `<pagination>${RESULT}<offset>0</offset></pagination>`,
  },
];
let connector: number;
let special: Handler | null = null;
const number = (url: string, name: string): number =>
  Number(new URL(url, 'http://x').searchParams.get(name));

const service = testService();
const remote = openForTests(() =>
  startRemote((request, response) => {
    if (special !== null) return special(request, response);
    const [path] = request.url.split('?');
    if (path === '/offset')
      return answerJson(response, {
        total: ITEMS.length,
        kept: 'of the first',
        items: ITEMS.slice(
          number(request.url, 'offset'),
          number(request.url, 'offset') + number(request.url, 'limit'),
        ),
      });
    if (path === '/page')
      return answerJson(response, {
        items: [(JSON.parse(request.body) as { page: number }).page],
        meta: { more: (JSON.parse(request.body) as { page: number }).page < 4 },
      });
    if (path === '/cursor')
      return answerJson(response, {
        items: [request.url],
        next: request.url.endsWith('=') ? 'a/b&c' : request.url.endsWith('=last') ? null : 'last',
      });
    if (path === '/header')
      return answerJson(response, {
        items: [request.headers['x-after']],
        next: { first: 'a b', 'a b': '{token}' }[String(request.headers['x-after'])] ?? null,
      });
    if (path === '/xml') {
      const orders = [
        '<order no="1"><name>A &amp; B</name></order>',
        '<order no="2"><name>&lt;b&gt;</name></order>',
        '<order no="3"/>',
        '<order no="4"><name>@{limit}</name></order>',
        '<order no="5"/>',
      ].slice(number(request.url, 'offset'), number(request.url, 'offset') + 2);
      return void response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(
          `<?xml version="1.0"?><o:orders xmlns:o="urn:o" total="5"><before/><list>${orders.join('')}<after/></list></o:orders>`,
        );
    }
    if (path === '/xml-cursor') {
      const after = new URL(request.url, 'http://x').searchParams.get('after');
      return void response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(
          `<page>${after === 'z' ? '' : `<item>${after}</item>`}${after === 'z' ? '' : `<next>${after === '' ? 'y' : 'z'}</next>`}</page>`,
        );
    }
    if (path === '/link') {
      const at = number(request.url, 'at');
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(at < 2 && {
          link: `</link?at=0>; title="a, <b>; rel=next"; rel="first", </link?at=${at + 1}>; title="one, two; \\"three\\""; REL = "prefetch next"; rel=last`,
        }),
      });
      return void response.end(JSON.stringify([at]));
    }
    answerJson(response, { items: [1], more: true });
  }),
);
beforeAll(async () => {
  await service.api('POST', '/api/secret', {
    body: { name: 'of-pages', value: 'key-of-pages', origins: [remote.url] },
  });
  const invoker = await imported(service, {
    fields: [{ name: 'url' }, { name: 'token', visibility: 'protected' }],
    operations: OPERATIONS,
  });
  connector = await newConnector(service, invoker, { url: remote.url, token: 'tok-pages-1' });
});
beforeEach(() => {
  special = null;
  remote.received.length = 0;
});

/** Runs an operation, and forwards its answer to the remote system. */
const run = async (
  name: string,
  more: object = {},
  fields: unknown = '{%#0000AA.(response).body%}',
): Promise<any> => {
  remote.received.length = 0;
  const copy = method('1', `${remote.url}/copy`, {
    request: {
      endpoint: `${remote.url}/copy`,
      method: 'POST',
      body: { format: 'json', fields },
    },
  });
  const document = workflow([
    {
      id: 'm0',
      index: '0',
      name,
      color: '#0000AA',
      methodType: 'CONNECTOR',
      connector: { connectorId: connector },
      request: null,
      ...more,
    },
    copy,
  ]);
  const id = await started(service, await saved(service, document), true);
  const events = await runEvents(service, id);
  const copied = remote.received.find(({ url }) => url === '/copy')?.body;
  return {
    ...(await ended(service, id)),
    events,
    copied: copied === undefined ? undefined : (JSON.parse(copied) as unknown),
    requests: remote.received.filter(({ url }) => url !== '/copy'),
  };
};

it('offset paging continues to the reported total and merges all items into the first page', async () => {
  const { copied, requests, events, stepCount } = await run('Offset');
  expect(requests.map(({ url }: any) => url)).toEqual([
    '/offset?offset=0&limit=3',
    '/offset?offset=3&limit=3',
    '/offset?offset=6&limit=3',
  ]);
  expect(requests.map(({ headers }: any) => headers.authorization)).toEqual([
    'Bearer tok-pages-1',
    'Bearer tok-pages-1',
    'Bearer tok-pages-1',
  ]);
  // A mark in an answer stays data.
  expect(copied).toEqual({ total: 7, kept: 'of the first', items: ITEMS });
  expect(stepCount).toBe(2);
  const [finished] = events.filter(({ __typename }: any) => __typename === 'StepFinished');
  expect(finished.request.url).toBe(`${remote.url}/offset?offset=0&limit=3`);
  expect(JSON.parse(finished.response.payload).items).toHaveLength(7);
});

it('page paging continues while there is more, with the page number in the body', async () => {
  const { copied, requests } = await run('Page');
  expect(requests.map(({ body }: any) => JSON.parse(body))).toEqual(
    [1, 2, 3, 4].map((page) => ({ page, text: `page ${page}, @{nothing}` })),
  );
  expect(copied).toEqual({ items: [1, 2, 3, 4], meta: { more: true } });
});

it('cursor paging continues until there is no cursor', async () => {
  expect((await run('Cursor')).copied).toEqual({
    items: ['/cursor?after=', '/cursor?after=a%2Fb%26c', '/cursor?after=last'],
    next: 'a/b&c',
  });
});

it('a page parameter replaces the existing value in the URL, a header or the body', async () => {
  const written = await run('Written');
  expect(written.requests.map(({ url }: any) => url)).toEqual(
    [0, 3, 6].map((offset) => `/offset?limit=3&x=a%20b&offset=${offset}`),
  );
  expect(written.copied).toMatchObject({ items: ITEMS });
  expect((await run('Appended')).requests.map(({ url }: any) => url)).toEqual(
    [0, 3, 6].map((offset) => `/offset?limit=3&offset=${offset}`),
  );
  const header = await run('Header');
  expect(header.requests.map(({ headers }: any) => headers['x-after'])).toEqual([
    'first',
    'a b',
    '{token}',
  ]);
  expect(header.copied).toMatchObject({ items: ['first', 'a b', '{token}'] });
  expect((await run('Body')).requests.map(({ body }: any) => JSON.parse(body))).toEqual(
    [1, 2, 3, 4].map((page) => ({ page, kept: 'yes', paging: { nth: page } })),
  );
});

it.each(['12345678901234567890', '[1577833200000,"a"]', '{"shard":7}', 'true', '"text"'])(
  'a page parameter keeps its type in a body: %s',
  async (cursor) => {
    const lasts = [cursor, 'null'];
    special = (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"items":[1],"last":${lasts.shift() ?? 'null'}}`);
    };
    expect((await run('Sorted')).requests.map(({ body }: any) => body)).toEqual([
      '',
      `{"search_after":${cursor}}`,
    ]);
  },
);

it('XML pages are merged into the first page', async () => {
  const { requests, events, stepCount } = await run('Xml');
  expect([stepCount, requests.map(({ url }: any) => url)]).toEqual([
    2,
    ['/xml?offset=0', '/xml?offset=2', '/xml?offset=4'],
  ]);
  const [finished] = events.filter(({ __typename }: any) => __typename === 'StepFinished');
  expect(finished.response.payload.replaceAll(/\n\s*/g, '')).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><o:orders xmlns:o="urn:o" total="5"><before/><list><order no="1"><name>A &amp; B</name></order><order no="2"><name>&lt;b&gt;</name></order>' +
      '<order no="3"/><order no="4"><name>@{limit}</name></order><order no="5"/><after/></list></o:orders>',
  );
});

it('later steps read merged XML pages by their paths', async () => {
  const [order, name] = ['list.order.@no', 'orders.list.order[3].name'].map(
    (path) => `{%#0000AA.(response).body.${path}%}`,
  );
  const { copied } = await run(
    'Xml',
    {},
    { order, name, each: '{%#0000AA.(response).body.list.order[*]%}' },
  );
  expect(copied).toMatchObject({ order: ['1', '2', '3', '4', '5'], name: '@{limit}' });
  expect(copied.each).toHaveLength(5);
});

it('cursor paging reads XML, including an empty last page', async () => {
  expect((await run('XmlCursor')).requests.map(({ url }: any) => url)).toEqual([
    '/xml-cursor?after=',
    '/xml-cursor?after=y',
    '/xml-cursor?after=z',
  ]);
});

it.each<[string, string, string[], string, unknown]>([
  [
    'Cursor',
    'application/json',
    ['{"next":"a"}', '{"items":[1],"next":"b"}', '{"items":[2]}'],
    'items',
    [1, 2],
  ],
  [
    'Deep',
    'application/json',
    ['{"next":"a","__proto__":null}', '{"__proto__":{"deep":{"items":[1]}}}'],
    "['__proto__'].deep.items",
    [1],
  ],
  ['Cursor', 'application/json', ['{"next":"a","items":null}', '{"items":[1]}'], 'items', [1]],
  [
    'XmlDeep',
    'text/xml',
    [
      '<page><next>a</next></page>',
      '<page><deep><list><item>1</item><item>2</item></list></deep></page>',
    ],
    'deep.list.item',
    ['1', '2'],
  ],
  [
    'XmlDeep',
    'text/xml',
    [
      '<page><deep><other/></deep><next>a</next></page>',
      '<page><deep><list><item>1</item></list></deep></page>',
    ],
    'page.deep.list.item[*]',
    ['1'],
  ],
])(
  'items of later pages are kept when the first page has no list: %s',
  async (name, type, pages, path, items) => {
    special = ({ url }, response) => {
      response
        .writeHead(200, { 'content-type': type })
        .end(url === '/copy' ? '' : (pages.shift() ?? '{}'));
    };
    const field = `{%#0000AA.(response).body${path.startsWith('[') ? '' : '.'}${path}%}`;
    expect((await run(name, {}, field)).copied).toEqual(items);
  },
);

it('paging ends at a page with invalid XML', async () => {
  special = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/xml' }).end('<a><b></a>');
  expect((await run('Xml')).error).toMatchObject({ code: 'RESPONSE_NOT_XML', index: '0' });
});

it('link paging follows the link to the next page', async () => {
  const { copied, requests } = await run('Link');
  expect(requests.map(({ url }: any) => url)).toEqual(['/link', '/link?at=1', '/link?at=2']);
  expect(copied).toEqual([0, 1, 2]);
});

it('paging sends a named secret with each page, and keeps none between pages', async () => {
  const { requests } = await run('Keyed');
  expect(requests.map(({ headers }: any) => headers['x-key'])).toEqual([
    'key-of-pages',
    'key-of-pages',
    'key-of-pages',
  ]);
  remote.received.length = 0;
  expect((await run('Carried')).error).toMatchObject({
    code: 'SECRET_NOT_ALLOWED_HERE',
    index: '0',
  });
  expect(remote.received).toHaveLength(0);
});

it('paging sends no credentials to another origin named in an answer', async () => {
  const thief = await startRemote((_request, response) => answerJson(response, []));
  special = (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', link: `<${thief.url}/x>; rel="next"` })
      .end('[1]');
  };
  expect((await run('Link')).error).toMatchObject({ code: 'SECRET_ORIGIN_REFUSED', index: '0' });
  expect(thief.received).toHaveLength(0);
  await thief.close();
});

it('an operation without paging reads one page', async () => {
  const { requests, state } = await run('Plain');
  expect([state, requests.map(({ url }: any) => url)]).toEqual([
    'SUCCEEDED',
    ['/plain?x=@{offset}'],
  ]);
});

it('paging ends at an empty page, whatever the reported total', async () => {
  special = (request, response) =>
    answerJson(response, {
      total: 100,
      items: number(request.url, 'offset') === 0 ? [1, 2, 3] : undefined,
    });
  expect((await run('Offset')).copied).toMatchObject({ items: [1, 2, 3] });
});

it('paging fails with the error of the failed page', async () => {
  special = (request, response) =>
    number(request.url, 'offset') < 3
      ? answerJson(response, { total: 9, items: [1, 2, 3] })
      : answerJson(response, { no: 'more' }, 418);
  const { error, events } = await run('Offset');
  expect(error).toMatchObject({ code: 'HTTP_STATUS_ERROR', index: '0' });
  expect(events.find(({ __typename }: any) => __typename === 'StepFinished')).toMatchObject({
    statusCode: 418,
    request: { url: `${remote.url}/offset?offset=3&limit=3` },
  });
});

it.each<[string, string, Handler | null]>([
  ['Endless', 'PAGES_REPEAT', null],
  [
    'Offset',
    'PAGE_WITHOUT_LIST',
    (_request, response) => answerJson(response, { total: 3, items: { a: 1 } }),
  ],
  [
    'Offset',
    'OUTBOUND_TIMEOUT',
    (request, response) =>
      number(request.url, 'offset') < 6
        ? answerJson(response, { total: 9, items: [1, 2, 3] })
        : undefined,
  ],
])('paging ends %s with %s', async (name, code, handler) => {
  special = handler;
  expect((await run(name, { timeout: 1_500 })).error).toMatchObject({ code, index: '0' });
});
