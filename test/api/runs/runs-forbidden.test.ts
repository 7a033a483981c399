import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { ended, RUN_EVENTS, socketOf } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService();
const remote = testRemote(() => ({ body: {} }));
let editor: string;
let workflowId: number;
let runId: number;
let foreignTest: number;
let ownTest: number;

const TEST =
  'mutation($id: ID!) { testRunStart(input: { workflowId: $id }) { run { databaseId } userErrors { code } } }';
const MISSING = 987_654;

beforeAll(async () => {
  editor = (await service.userWith(['CONNECTION:UPDATE'])).token;
  workflowId = await saved(service, workflow([method('0', `${remote.url}/called`)]));
  const test = async (token?: string): Promise<number> => {
    const testRunStart = await service.field(TEST, { id: workflowId }, token);
    const client = socketOf(service, token ?? service.adminToken);
    for await (const { data } of client.iterate<any>({
      query: RUN_EVENTS,
      variables: { runId: testRunStart.run.databaseId, after: 0 },
    })) {
      if (data?.runEvents.__typename === 'RunFinished') break;
    }
    await client.dispose();
    return testRunStart.run.databaseId as number;
  };
  runId = await started(service, workflowId, true);
  await ended(service, runId);
  foreignTest = await test();
  ownTest = await test(editor);
});

const others = (): number[] => [runId, foreignTest, MISSING];
const outcomeOf = async (query: string): Promise<string | undefined> =>
  (await service.gql(query, {}, editor)).errors?.[0]?.extensions?.code;

/** Returns the code that ends a subscription. */
async function follow(query: string): Promise<string | null> {
  const client = socketOf(service, editor);
  try {
    for await (const { errors } of client.iterate<any>({ query }))
      return errors ? String(errors[0]?.extensions?.code) : null;
    return null;
  } catch (error) {
    return String((error as any)[0]?.extensions?.code);
  } finally {
    await client.dispose();
  }
}

describe('a user with CONNECTION:UPDATE only', () => {
  it('is refused existing and missing runs over REST', async () => {
    for (const id of others()) {
      for (const path of [
        `/api/execution/${id}`,
        `/api/execution/${id}/raw/log`,
        `/api/execution/log/element/${id}/children`,
        `/api/execution/log/element/${id}-1/details`,
      ]) {
        expect([path, ...(await service.outcome('GET', path, { token: editor }))]).toEqual([
          path,
          403,
          'ACCESS_DENIED',
        ]);
      }
    }
  });

  it('is refused runs over GraphQL', async () => {
    for (const id of others()) {
      for (const query of [
        `{ run(id: "${id}") { databaseId } }`,
        `{ logElements(parentId: "${id}") { elementId } }`,
        `{ logElement(elementId: "${id}-1") { element { elementId } } }`,
      ]) {
        expect([query, await outcomeOf(query)]).toEqual([query, 'FORBIDDEN']);
      }
    }
    expect(await outcomeOf('{ runs { nodes { databaseId } } }')).toBe('FORBIDDEN');
    expect(await outcomeOf(`{ runs(filter: { id: { eq: "${runId}" } }) { totalCount } }`)).toBe(
      'FORBIDDEN',
    );
  });

  it('is refused the events of runs in subscriptions and in mutation payloads', async () => {
    for (const id of others()) {
      expect(
        await follow(`subscription { runEvents(runId: "${id}", afterSequence: 0) { __typename } }`),
      ).toBe('FORBIDDEN');
      expect(
        await follow(
          `subscription { testRunEvents(runId: "${id}", afterSequence: 0) { __typename } }`,
        ),
      ).toBe('FORBIDDEN');
    }
    expect(await follow('subscription { runsChanged { removedIds } }')).toBe('FORBIDDEN');
    const start = `mutation { workflowRun(input: { workflowId: "${workflowId}" }) { run { databaseId events { nodes { __typename } } } userErrors { code } } }`;
    expect(await outcomeOf(start)).toBe('FORBIDDEN');
  });

  it('is refused a retry of all failed runs', async () => {
    await service.refuses(403, 'ACCESS_DENIED', 'POST', '/api/execution/retry', {
      token: editor,
      body: { connectionIds: [workflowId] },
    });
  });

  it('sees the tests that they started in every operation', async () => {
    expect(await service.status('GET', `/api/execution/${ownTest}`, { token: editor })).toBe(200);
    expect(
      await service.status('GET', `/api/execution/${ownTest}/raw/log`, { token: editor }),
    ).toBe(200);
    expect(
      (
        await service.field(
          `{ run(id: "${ownTest}") { databaseId events { nodes { __typename } } } }`,
          {},
          editor,
        )
      ).events.nodes.length,
    ).toBeGreaterThan(0);
    expect(
      (await service.field('{ runs(includeTest: true) { nodes { databaseId } } }', {}, editor))
        .nodes,
    ).toEqual([{ databaseId: ownTest }]);
    expect(
      await follow(
        `subscription { testRunEvents(runId: "${ownTest}", afterSequence: 0) { __typename } }`,
      ),
    ).toBeNull();
    expect(
      await follow('subscription { runsChanged(includeTest: true) { removedIds } }'),
    ).toBeNull();
  });
});
