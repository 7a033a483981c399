import { testService } from '../../support/service/harness';
import { storedJob } from '../../support/service/jobs';
import { socketOf } from '../../support/service/watch';

const service = testService();
let owner: { id: number; token: string };
let other: { id: number; token: string };
beforeAll(async () => {
  owner = await service.userWith(['CONNECTION:READ']);
  other = await service.userWith(['CONNECTION:READ']);
});

const ownJob = (more: Record<string, unknown> = {}): Promise<number> =>
  storedJob({ owner: { userId: owner.id, email: 'x@hypha.test' }, ...more });
const unfinished = {
  state: 'QUEUED',
  percent: 0,
  result: null,
  startedAt: null,
  finishedAt: null,
  expiresAt: null,
};

const PROGRESS = 'subscription ($id: ID!) { jobProgress(jobId: $id) { databaseId state percent } }';
async function* progress(id: number, token: string): AsyncGenerator<any> {
  const client = socketOf(service, token);
  try {
    for await (const { data, errors } of client.iterate<any>({
      query: PROGRESS,
      variables: { id },
    })) {
      if (errors)
        throw Object.assign(new Error(errors[0]?.message), { code: errors[0]?.extensions?.code });
      yield data.jobProgress;
    }
  } finally {
    await client.dispose();
  }
}
const cancel = (id: number, token: string): Promise<any> =>
  service.mutate('jobCancel', { id }, 'job { state } userErrors { code path }', token);

describe('a job', () => {
  it('is visible to its owner and administrators over REST and GraphQL', async () => {
    const error = {
      code: 'BAD_REQUEST',
      message: 'No.',
      problems: [{ code: 'TEXT_TOO_LONG', path: ['a.json', 'name'], message: 'Too long.' }],
    };
    const id = await ownJob({
      state: 'FAILED',
      percent: 40,
      message: 'Reading.',
      result: null,
      error,
    });
    const query =
      'query ($id: ID!) { job(id: $id) { databaseId kind state percent message result error { code message problems { code path message } } createdBy { userId } } }';
    for (const token of [owner.token, service.adminToken]) {
      expect(await service.field(query, { id }, token)).toEqual({
        databaseId: id,
        kind: 'TEMPLATE_IMPORT',
        state: 'FAILED',
        percent: 40,
        message: 'Reading.',
        result: null,
        error,
        createdBy: { userId: owner.id },
      });
      const { status, body } = await service.api('GET', `/api/job/${id}`, { token });
      expect([status, body]).toEqual([
        200,
        {
          jobId: id,
          kind: 'template-import',
          state: 'FAILED',
          percent: 40,
          message: 'Reading.',
          result: null,
          error,
          createdAt: expect.any(Number),
          startedAt: expect.any(Number),
          finishedAt: expect.any(Number),
        },
      ]);
    }
    expect(await service.field(query, { id }, other.token)).toBeNull();
    await service.refuses(404, 'JOB_NOT_FOUND', 'GET', `/api/job/${id}`, { token: other.token });
    const globalId = (
      await service.field('query ($id: ID!) { job(id: $id) { id } }', { id }, owner.token)
    ).id;
    const NODE = 'query ($id: ID!) { node(id: $id) { __typename } }';
    expect([
      await service.field(NODE, { id: globalId }, owner.token),
      await service.field(NODE, { id: globalId }, other.token),
    ]).toEqual([{ __typename: 'Job' }, null]);
  });

  it('is listed for its owner with filters and order', async () => {
    const ids = [await ownJob({ kind: 'invoker-import' }), await ownJob({ state: 'FAILED' })];
    const list = async (args: string, token: string): Promise<number[]> =>
      (
        await service.field(`{ jobs(first: 50${args}) { nodes { databaseId } } }`, {}, token)
      ).nodes.map((one: any) => one.databaseId);
    const all = await list('', owner.token);
    expect(all.slice(0, 2)).toEqual([...ids].reverse());
    expect(await list('', other.token)).toEqual([]);
    expect(await list('', service.adminToken)).toEqual(expect.arrayContaining(ids));
    expect(await list(', filter: { kind: { eq: INVOKER_IMPORT } }', owner.token)).toEqual([ids[0]]);
    expect(
      await list(
        `, filter: { state: { eq: FAILED } }, orderBy: { field: DATABASE_ID, direction: DESC }`,
        owner.token,
      ),
    ).toEqual([...all].filter((id) => id !== ids[0]).sort((a, b) => b - a));
  });

  it('reports its progress to subscribers who may see it', async () => {
    const id = await ownJob(unfinished);
    const seen: any[] = [];
    for await (const job of progress(id, owner.token)) {
      seen.push(job);
      if (seen.length === 1)
        expect(await cancel(id, owner.token)).toEqual({
          job: { state: 'CANCELLED' },
          userErrors: [],
        });
    }
    expect(seen).toEqual([
      { databaseId: id, state: 'QUEUED', percent: 0 },
      { databaseId: id, state: 'CANCELLED', percent: 0 },
    ]);
    const again: any[] = [];
    for await (const job of progress(id, service.adminToken)) again.push(job.state);
    expect(again).toEqual(['CANCELLED']);
    await expect(progress(id, other.token).next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(progress(4_711, owner.token).next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is cancelled once by users who may see it, with an audit event', async () => {
    const id = await ownJob(unfinished);
    expect(await cancel(id, other.token)).toEqual({
      job: null,
      userErrors: [{ code: 'JOB_NOT_FOUND', path: ['id'] }],
    });
    expect(await cancel(id, service.adminToken)).toEqual({
      job: { state: 'CANCELLED' },
      userErrors: [],
    });
    expect(await cancel(id, owner.token)).toEqual({
      job: null,
      userErrors: [{ code: 'JOB_ALREADY_FINISHED', path: ['id'] }],
    });
    const auditEvents = await service.field(
      `{ auditEvents(first: 5, filter: { action: { eq: JOB_CANCEL }, targetId: { eq: "${id}" }, targetType: { eq: JOB } }) { nodes { before after } } }`,
    );
    expect(auditEvents.nodes).toEqual([
      {
        before: { kind: 'template-import', state: 'QUEUED', percent: 0 },
        after: { state: 'CANCELLED' },
      },
    ]);
  });
});
