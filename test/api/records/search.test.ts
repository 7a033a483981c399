import { testService, unique } from '../../support/service/harness';
import { storeCalls, storeConnection } from '../../support/store/stored';
import { saved, workflow } from '../../support/documents/workflows';
import { longIt } from '../../support/long';

const service = testService();

const connection = (title: string): Promise<number> => saved(service, workflow([], [], { title }));
const category = async (name: string): Promise<number> =>
  (await service.api('POST', '/api/category', { body: { name } })).body.id;
const rest = async (text: string, token?: string): Promise<any[]> =>
  (await service.api('GET', `/api/search/${encodeURIComponent(text)}`, { token })).body.result;
const graph = (variables: object, token?: string): Promise<any[]> =>
  service.field(
    'query($text: String!, $types: [SearchType!], $limit: Int! = 10) { search(text: $text, types: $types, limit: $limit) { type title node { __typename databaseId } } }',
    { ...variables },
    token,
  );

describe('the search', () => {
  it('finds titles that contain the text in any spelling, prefix matches first', async () => {
    const ids = [
      await connection('All Straßen of a/town'),
      await connection('STRASSEN 50%'),
      await connection('Nothing'),
      await connection('!*test_connection_1700000000000_strassen'),
    ];
    await category('Straßenbau');
    const results = [
      { id: ids[1], title: 'STRASSEN 50%', components: 'connection' },
      { id: ids[0], title: 'All Straßen of a/town', components: 'connection' },
    ];
    for (const text of ['strassen', 'STRASSEN', ' straßen ', 'ｓｔｒａｓｓｅｎ'])
      expect([text, await rest(text)]).toEqual([text, results]);
    expect(await rest('of a/town')).toEqual([results[1]]);
    expect(await rest('50%')).toEqual([results[0]]);
    expect(await graph({ text: 'strassen' })).toEqual([
      ...results.map(({ id, title }) => ({
        type: 'WORKFLOW',
        title,
        node: { __typename: 'Workflow', databaseId: id },
      })),
      {
        type: 'CATEGORY',
        title: 'Straßenbau',
        node: { __typename: 'Category', databaseId: expect.any(Number) },
      },
    ]);
    const {
      body: { connectorId },
    } = await service.api('POST', '/api/connector', {
      body: { title: 'Die Straßen', invoker: { name: 'Echo' }, requestData: { token: 'x' } },
    });
    expect(await rest('strassen')).toEqual([
      ...results,
      { id: connectorId, title: 'Die Straßen', components: 'connector' },
    ]);
    expect(await graph({ text: 'strassen', types: ['CONNECTOR'] })).toEqual([
      {
        type: 'CONNECTOR',
        title: 'Die Straßen',
        node: { __typename: 'Connector', databaseId: connectorId },
      },
    ]);
    const {
      body: { schedulerId },
    } = await service.api('POST', '/api/scheduler', {
      body: { title: 'Nightly straßen', connectionId: ids[0] },
    });
    expect(await graph({ text: 'STRASSEN', types: ['SCHEDULE'] })).toEqual([
      {
        type: 'SCHEDULE',
        title: 'Nightly straßen',
        node: { __typename: 'Schedule', databaseId: schedulerId },
      },
    ]);
    await service.api('DELETE', `/api/scheduler/${schedulerId}`);
    await service.api('DELETE', `/api/connector/${connectorId}`);
    expect(
      (await graph({ text: 'strassen', types: ['CATEGORY'] })).map(({ title }) => title),
    ).toEqual(['Straßenbau']);
    expect((await graph({ text: 'strassen', limit: 1 })).map(({ title }) => title)).toEqual([
      'STRASSEN 50%',
      'Straßenbau',
    ]);
  });

  it('names a too long text alike in both APIs', async () => {
    const message = 'A text to look for has 200 characters at most.';
    const answer = await service.api('GET', `/api/search/${'é'.repeat(201)}`);
    expect([answer.status, answer.body.error]).toEqual([400, message]);
    const { errors } = await service.gql(
      'query($text: String!) { search(text: $text) { title } }',
      { text: 'é'.repeat(201) },
    );
    expect(errors?.[0]?.message).toBe(message);
  });

  it('treats every character literally', async () => {
    const title = `.*+?^\${}()|[]\\/ ${unique('odd ')} 'a' "b" 😀`;
    await connection(title);
    for (const text of [title, '.*+?', '^$', '()|[]\\/', "'a'", '😀'])
      expect([text, (await rest(text)).map((hit) => hit.title as string)]).toEqual([text, [title]]);
    expect(await rest('.+')).toEqual([]);
  });

  it.each([
    ['a blank', '%20'],
    ['an unknown title', 'no-such-title'],
  ])('finds nothing: %s', async (_what, path) => {
    expect(await service.body('GET', `/api/search/${path}`)).toEqual({ result: [] });
  });

  it('rejects a text that no title can contain', async () => {
    expect(await service.api('GET', `/api/search/${encodeURIComponent('a\u0000b')}`)).toMatchObject(
      {
        status: 400,
        body: { message: 'BAD_REQUEST' },
      },
    );
    for (const variables of [
      { text: 'a\ud800' },
      { text: 'a', limit: 0 },
      { text: 'a', limit: 51 },
    ]) {
      const { errors } = await service.gql(
        'query($text: String!, $limit: Int! = 10) { search(text: $text, limit: $limit) { title } }',
        variables,
      );
      expect([variables, errors?.[0]?.extensions.code]).toEqual([variables, 'BAD_USER_INPUT']);
    }
  });

  it('finds only records that the caller may read', async () => {
    const title = unique('Hidden ');
    await connection(title);
    const [outsider, reader] = [
      await service.userWith(['USER:READ']),
      await service.userWith(['CONNECTION:READ']),
    ];
    expect([
      await rest(title, outsider.token),
      await graph({ text: title }, outsider.token),
    ]).toEqual([[], []]);
    expect([
      (await rest(title, reader.token)).length,
      (await graph({ text: title }, reader.token)).length,
    ]).toEqual([1, 1]);
    expect(await service.status('GET', '/api/search/x', { token: null })).toBe(401);
  });

  longIt(
    'reads no contents and few rows of many workflows, and only prefixes beyond 10,000',
    async () => {
      const id = await connection('Copied');
      const rows = storeConnection().collection<any>('workflows');
      const record = await rows.findOne({ _id: id });
      const named = (number: number): object => ({
        _id: number,
        test: false,
        title: `Many ${number} in the middle`,
        titleKey: `many ${number} in the middle`,
      });
      await rows.insertMany(
        Array.from({ length: 100 }, (_, nth) => ({ ...record, ...named(20_000 + nth) })),
      );
      const calls = await storeCalls(async () => expect(await rest('the middle')).toHaveLength(50));
      expect(calls.filter((call) => call.startsWith('workflow_contents'))).toEqual([]);
      await rows.insertMany(Array.from({ length: 10_000 }, (_, nth) => named(30_000 + nth)));
      expect([await rest('the middle'), (await rest('MANY 20')).length]).toEqual([[], 50]);
      const plan: any = await rows
        .find(
          { test: false, titleKey: { $gte: 'many 20', $lt: 'many 20\u{10ffff}' } },
          { sort: { titleKey: 1 }, limit: 50 },
        )
        .explain('executionStats');
      expect([
        /COLLSCAN|"SORT"/.exec(JSON.stringify(plan.queryPlanner.winningPlan)),
        plan.executionStats.totalDocsExamined <= 55,
      ]).toEqual([null, true]);
    },
  );
});
