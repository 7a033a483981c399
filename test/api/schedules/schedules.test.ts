import { outcome, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { method, saved, workflow } from '../../support/documents/workflows';

/** Wednesday, 10:00 in Berlin. */
const NOW = Date.parse('2026-05-06T08:00:00.000Z');
const clock = movingClock(NOW);

const service = testService({ clock, scheduleTickMs: 20 });
const remote = testRemote(({ path }) =>
  path === '/held'
    ? new Promise((resolve) => {
        letGo = resolve;
      })
    : { status: path === '/fails' ? 500 : 200, body: {} },
);
let letGo: (answer: RemoteAnswer) => void = () => undefined;
let workflowId: number;
beforeAll(async () => {
  // By the clock of the store the session has expired, and it removes expired sessions once a minute.
  await storeConnection().collection('sessions').dropIndex('expiresAt_1');
  workflowId = await saved(
    service,
    workflow([method('0', `${remote.url}/`)], [], {
      description: 'What for',
      fieldBinding: [
        { id: 'b', from: [], to: [], enhancement: { name: 'n', expertCode: 'RESULT_VAR = 1;' } },
      ],
    }),
  );
});
afterEach(() => remote.forget());

const post = (body: object): Promise<Answer> =>
  service.api('POST', '/api/scheduler', {
    body: {
      title: unique('Schedule '),
      connectionId: workflowId,
      notificationResources: [],
      ...body,
    },
  });
const made = async (more: object = {}): Promise<any> => {
  const answer = await post(more);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const read = (id: number): Promise<any> => service.body('GET', `/api/scheduler/${id}`);
const put = (id: number, below: string, body: object): Promise<Answer> =>
  service.api('PUT', `/api/scheduler/${id}${below}`, { body });
const list = (name: string, identifiers: readonly number[]): Promise<Answer> =>
  service.api('PUT', `/api/scheduler/${name}`, { body: { identifiers } });
const runsOf = async (id: number): Promise<any[]> =>
  (
    await service.field(
      'query ($id: ID!) { runs(filter: { schedule: { eq: $id } }) { nodes { databaseId state trigger test logging startedBy { email } schedule { databaseId } } } }',
      { id },
    )
  ).nodes;
/** Polls for the end of the run, because sockets use the real clock. */
async function ended(id: number): Promise<any> {
  for (;;) {
    const run = await service.field('query ($id: ID!) { run(id: $id) { state } }', { id });
    if (!['QUEUED', 'RUNNING'].includes(run.state)) return run;
  }
}
const moment = (time: string): number => Date.parse(time);

describe('schedules over REST', () => {
  it('are added, read, changed and deleted in the released shape with their next due times', async () => {
    const title = unique('Every working day ');
    const created = await post({
      title: ` ${title} `,
      cronExp: '0 30  6 ? * MON-FRI',
      timeZone: 'Europe/Berlin',
      status: true,
      debugMode: true,
    });
    const { schedulerId: id } = created.body;
    expect(created).toMatchObject({ status: 201 });
    expect(created.headers.get('location')).toBe(`${service.url}/api/scheduler/${id}`);
    expect(created.body).toEqual({
      schedulerId: expect.any(Number),
      title,
      status: true,
      debugMode: true,
      cronExp: '0 30 6 ? * MON-FRI',
      timeZone: 'Europe/Berlin',
      missedFires: 'ONCE',
      overlapPolicy: 'SKIP',
      nextFireTimes: ['07', '08', '11', '12', '13'].map((day) =>
        moment(`2026-05-${day}T04:30:00Z`),
      ),
      connection: {
        connectionId: workflowId,
        title: expect.any(String),
        description: 'What for',
        icon: null,
        categoryId: null,
        fromConnector: {
          connectorId: -1,
          title: 'DEFAULT',
          icon: null,
          sslCert: null,
          timeout: null,
          invoker: null,
        },
        toConnector: null,
        fieldBinding: [expect.objectContaining({ id: 'b' })],
      },
      lastExecution: null,
      webhook: null,
      notification: [],
    });
    expect(await read(id)).toEqual(created.body);
    expect(await service.body('GET', '/api/scheduler/all')).toContainEqual(created.body);

    const changed = await put(id, '', {
      schedulerId: id,
      connectionId: workflowId,
      title,
      status: true,
      cronExp: '0 0 0 1 JAN ? 2027',
      timeZone: 'America/New_York',
      debugMode: false,
      notificationResources: [],
      missedFires: 'SKIP',
      overlapPolicy: 'QUEUE',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        debugMode: false,
        missedFires: 'SKIP',
        overlapPolicy: 'QUEUE',
        nextFireTimes: [moment('2027-01-01T05:00:00Z')],
      },
    });
    expect((await put(id, '/title', { title: `${title}!` })).body).toEqual({
      ...changed.body,
      title: `${title}!`,
    });
    expect(await put(id, '/status', { status: false })).toMatchObject({ status: 200, text: '' });
    expect(await read(id)).toMatchObject({ status: false, nextFireTimes: [] });
    expect((await put(id, '', { cronExp: null })).body).toMatchObject({
      cronExp: '',
      title: `${title}!`,
      timeZone: 'America/New_York',
    });
    expect(outcome(await put(id, '', { schedulerId: id + 1 }))).toEqual([400, 'BAD_REQUEST']);
    expect(await service.status('DELETE', `/api/scheduler/${id}`)).toBe(204);
    await service.refuses(404, 'SCHEDULER_NOT_FOUND', 'GET', `/api/scheduler/${id}`);
  });

  it('default to the configured time zone, are disabled and do not fire', async () => {
    expect(await made()).toMatchObject({
      status: false,
      debugMode: false,
      cronExp: '',
      timeZone: 'UTC',
      nextFireTimes: [],
      missedFires: 'ONCE',
    });
    expect(await made({ status: true, cronExp: '59 59 23 31 12 ? 2123' })).toMatchObject({
      status: true,
      cronExp: '',
      nextFireTimes: [],
    });
  });

  it.each([
    [{ cronExp: '* * * * *' }, 400, 'CRON_INVALID'],
    [{ cronExp: '0 0 12 L-31 * ?' }, 400, 'CRON_INVALID'],
    [{ cronExp: '0 0 12 30 FEB ?' }, 400, 'CRON_NEVER_DUE'],
    [{ cronExp: '0 0 12 1 JAN ? 2020' }, 400, 'CRON_NEVER_DUE'],
    [{ timeZone: 'Nowhere' }, 400, 'TIME_ZONE_INVALID'],
    [{ title: 'x'.repeat(46) }, 400, 'TITLE_INVALID'],
    [{ title: null }, 400, 'TITLE_INVALID'],
    [{ notificationResources: [{ name: 'mail' }] }, 404, 'MESSAGE_TEMPLATE_NOT_FOUND'],
    [{ notificationResources: null }, 400, 'BAD_REQUEST'],
    [{ connectionId: null }, 400, 'BAD_REQUEST'],
    [{ connectionId: 987_654 }, 404, 'CONNECTION_NOT_FOUND'],
  ])('are rejected: %j', async (body, status, code) => {
    expect(outcome(await post(body))).toEqual([status, code]);
  });

  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['AMERICA/new_york', 'America/New_York'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
  ])('have the time zone %s in its canonical spelling', async (typed, name) => {
    const { schedulerId: id, timeZone } = await made({ timeZone: typed });
    expect([
      timeZone,
      (await put(id, '', { timeZone: typed.toUpperCase() })).body.timeZone,
    ]).toEqual([name, name === typed ? typed.toUpperCase() : name]);
  });

  it('keep an expression whose times are over until it changes', async () => {
    const { schedulerId: id, ...made } = (
      await post({ cronExp: '0 1 8 6 MAY ? 2026', timeZone: 'UTC', status: true })
    ).body;
    const over = await put(id, '', {
      ...made,
      schedulerId: id,
      connectionId: workflowId,
      cronExp: '0 0 6 1 JAN ? 2026',
      notificationResources: [],
    });
    expect(outcome(over)).toEqual([400, 'CRON_NEVER_DUE']);
    expect(over.body.error).toContain('cronExp: All times of this cron expression are in the past');
    clock.forward(120_000);
    try {
      const renamed = await put(id, '', {
        schedulerId: id,
        connectionId: workflowId,
        title: `${made.title}!`,
        cronExp: ' 0 1 8 6 MAY ?  2026',
        timeZone: 'Europe/Berlin',
        notificationResources: [],
      });
      expect(renamed).toMatchObject({
        status: 200,
        body: { title: `${made.title}!`, timeZone: 'Europe/Berlin', nextFireTimes: [] },
      });
    } finally {
      clock.forward(-120_000);
    }
  });

  it('accept the numbers that earlier frontends send for the enabled state', async () => {
    expect([
      (await made({ status: 1, cronExp: '0 0 5 * * ?' })).status,
      (await made({ status: 0 })).status,
    ]).toEqual([true, false]);
    const { schedulerId: id } = await made({ cronExp: '0 0 5 * * ?' });
    expect((await put(id, '', { status: 1 })).body.status).toBe(true);
    expect((await put(id, '', { status: 0 })).body.status).toBe(false);
    for (const status of [1, 0, true, false]) {
      expect(await put(id, '/status', { status })).toMatchObject({ status: 200, text: '' });
      expect((await read(id)).status).toBe(Boolean(status));
    }
    for (const below of ['', '/status']) {
      for (const status of [2, -1, '1', 0.5, [1]]) {
        const refused = await put(id, below, { status });
        expect([...outcome(refused), refused.body.error]).toEqual([
          400,
          'BAD_REQUEST',
          expect.stringContaining('status: Expected true or false'),
        ]);
      }
    }
  });

  it('report all errors at once, and one of several concurrent ones with the same title is added', async () => {
    const wrong = await post({
      title: ' ',
      cronExp: 'never',
      timeZone: '+01:00',
      connectionId: 987_654,
    });
    for (const field of ['title:', 'cronExp:', 'timeZone:'])
      expect(wrong.body.error).toContain(field);
    const title = unique('Once ');
    const answers = await Promise.all(Array.from({ length: 4 }, () => post({ title })));
    expect(answers.map(outcome).sort()).toEqual([
      [201, undefined],
      ...Array(3).fill([409, 'TITLE_ALREADY_EXISTS']),
    ]);
  });

  it('are enabled, disabled, read and deleted in bulk', async () => {
    const ids = [
      (await made({ status: true, cronExp: '0 0 0 * * ?' })).schedulerId,
      (await made({ cronExp: '0 0 0 * * ?' })).schedulerId,
    ];
    const states = async (): Promise<unknown[]> =>
      (
        await service.api('POST', '/api/scheduler/list/get', {
          body: { identifiers: [...ids, 987_654] },
        })
      ).body.map(({ schedulerId, status, nextFireTimes }: any) => [
        schedulerId,
        status,
        nextFireTimes.length,
      ]);
    expect(
      await service.api('POST', '/api/scheduler/list/get', { body: { identifiers: [] } }),
    ).toMatchObject({ status: 200, body: [] });
    expect((await list('enableAll', [])).status).toBe(200);
    expect(outcome(await list('enableAll', [...ids, 987_654]))).toEqual([
      404,
      'SCHEDULER_NOT_FOUND',
    ]);
    expect(await states()).toEqual([
      [ids[0], true, 5],
      [ids[1], false, 0],
    ]);
    const versions = async (): Promise<(string | null)[]> =>
      Promise.all(
        ids.map(async (id) =>
          (await service.api('GET', `/api/scheduler/${id}`)).headers.get('etag'),
        ),
      );
    expect(await list('enableAll', ids)).toMatchObject({ status: 200, text: '' });
    expect([await states(), await versions()]).toEqual([
      ids.map((id) => [id, true, 5]),
      ['"1"', '"2"'],
    ]);
    await list('disableAll', ids);
    expect(await states()).toEqual(ids.map((id) => [id, false, 0]));
    expect((await list('list/delete', ids)).status).toBe(204);
    expect(await states()).toEqual([]);
  });

  it('are deleted with their workflow, with an audit entry', async () => {
    const connectionId = await saved(service, workflow([]));
    const { schedulerId } = await made({ connectionId });
    expect(await service.status('DELETE', `/api/connection/${connectionId}`)).toBe(204);
    expect(await service.status('GET', `/api/scheduler/${schedulerId}`)).toBe(404);
    const auditEvents = await service.field(
      'query ($id: String!) { auditEvents(first: 5, filter: { targetType: { eq: SCHEDULE }, targetId: { eq: $id } }) { nodes { action } } }',
      { id: String(schedulerId) },
    );
    expect(auditEvents.nodes.map(({ action }: { action: string }) => action).sort()).toEqual([
      'SCHEDULE_CREATE',
      'SCHEDULE_DELETE',
    ]);
  });

  it('show only the title of their workflow without permission, and testers see only schedules of tests', async () => {
    const { schedulerId: id, connection } = await made();
    const [reader, tester] = [
      await service.userWith(['SCHEDULE:READ']),
      await service.userWith(['CONNECTION:UPDATE']),
    ];
    const seen = await service.body('GET', `/api/scheduler/${id}`, { token: reader.token });
    expect(seen.connection).toEqual({ ...connection, description: null, fieldBinding: [] });
    for (const path of [`/api/scheduler/${id}`, `/api/scheduler/terminate/${id}`])
      await service.refuses(404, 'SCHEDULER_NOT_FOUND', 'GET', path, { token: tester.token });
    expect(await service.body('GET', '/api/scheduler/all', { token: tester.token })).toEqual([]);
    const both = await service.userWith(['SCHEDULE:READ', 'CONNECTION:UPDATE']);
    await service.refuses(403, 'ACCESS_DENIED', 'GET', `/api/scheduler/terminate/${id}`, {
      token: both.token,
    });
  });
});

describe('the run of a schedule', () => {
  it('starts on demand even if the schedule is disabled, and its result is kept', async () => {
    const { schedulerId: id } = await made({ debugMode: true });
    expect(await service.api('GET', `/api/scheduler/execute/${id}`)).toMatchObject({
      status: 200,
      text: '',
    });
    const [run] = await runsOf(id);
    expect(run).toMatchObject({
      trigger: 'MANUAL',
      test: false,
      logging: true,
      startedBy: { email: expect.any(String) },
      schedule: { databaseId: id },
    });
    expect(await ended(run.databaseId)).toMatchObject({ state: 'SUCCEEDED' });
    const execution = {
      taId: `${id}-${run.databaseId}`,
      startTime: NOW,
      endTime: NOW,
      duration: 0,
    };
    expect(await read(id)).toMatchObject({
      lastExecution: { lastExecutionId: run.databaseId, success: execution, fail: null },
    });
    await put(id, '', {
      connectionId: await saved(service, workflow([method('0', `${remote.url}/fails`)])),
    });
    expect(await list('startAll', [id])).toMatchObject({ status: 200, text: '' });
    const [second] = await runsOf(id);
    expect(await ended(second.databaseId)).toMatchObject({ state: 'FAILED' });
    expect((await read(id)).lastExecution).toEqual({
      lastExecutionId: expect.any(Number),
      success: execution,
      fail: { ...execution, taId: `${id}-${second.databaseId}` },
    });
    expect(outcome(await list('startAll', [id, 987_654]))).toEqual([404, 'SCHEDULER_NOT_FOUND']);
    expect(await runsOf(id)).toHaveLength(2);
  });

  it('is listed once while it is running, and terminated with queued runs', async () => {
    const { schedulerId: id, title } = await made({
      connectionId: await saved(service, workflow([method('0', `${remote.url}/held`)])),
    });
    for (let nth = 0; nth < 2; nth += 1) {
      await service.api('GET', `/api/scheduler/execute/${id}`);
      await remote.next();
    }
    expect(await service.body('GET', '/api/scheduler/running/all')).toEqual([
      { schedulerId: id, title, avgDuration: 0, fromConnector: 'DEFAULT', toConnector: null },
    ]);
    expect(await service.status('HEAD', `/api/scheduler/execute/${id}`)).toBe(405);
    for (let nth = 0; nth < 2; nth += 1)
      expect(await service.api('GET', `/api/scheduler/terminate/${id}`)).toMatchObject({
        status: 200,
        text: '',
      });
    expect((await runsOf(id)).map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED']);
    expect(await service.body('GET', '/api/scheduler/running/all')).toEqual([]);
    // The released frontend polls the schedule until it reports an end.
    const { success, fail } = (await read(id)).lastExecution;
    expect([success, fail]).toMatchObject([null, { startTime: NOW, endTime: NOW }]);
    // Either may be the last to end.
    expect((await runsOf(id)).map(({ databaseId }) => `${id}-${databaseId}`)).toContain(fail.taId);
    const { executions } = (await storeConnection()
      .collection<any>('schedules')
      .findOne({ _id: id }))!;
    expect(executions).toBe(0);
    letGo({});
  });

  longIt('starts in bulk, and runs beyond the limit of a user wait in the store', async () => {
    const schedules = storeConnection().collection<any>('schedules');
    const { schedulerId } = await made();
    const record = await schedules.findOne<any>({ _id: schedulerId });
    const ids = Array.from({ length: 700 }, (_, nth) => 600_000 + nth);
    await schedules.insertMany(
      ids.map((_id) => ({ ...record, _id, title: `Many ${_id}`, titleKey: `many ${_id}` })),
    );
    const schedulesStart = await service.mutate(
      'schedulesStart',
      { ids: ids.map(String) },
      'runs { databaseId } userErrors { code path message }',
    );
    expect([schedulesStart.userErrors, schedulesStart.runs.length]).toEqual([[], 700]);
    expect(
      await storeConnection()
        .collection('runs')
        .countDocuments({ scheduleId: { $gte: 600_000 } }),
    ).toBe(700);
    await storeConnection()
      .collection('runs')
      .updateMany(
        { scheduleId: { $gte: 600_000 }, state: 'QUEUED' },
        { $set: { state: 'CANCELLED' } },
      );
    await schedules.deleteMany({ _id: { $in: ids } });
  });
});

describe('schedules over GraphQL', () => {
  const FIELDS =
    'id databaseId title cron timeZone enabled logging missedFires nextFireTimes version workflow { databaseId } lastRun { databaseId state } viewerCan { update start }';
  const ERRORS = 'userErrors { code path }';

  interface Schedule {
    readonly id: string;
    readonly databaseId: number;
    readonly title: string;
    readonly nextFireTimes: readonly string[];
  }
  const added = async (): Promise<Schedule> =>
    (
      await service.mutate(
        'scheduleCreate',
        {
          title: unique('Nightly '),
          workflowId,
          cron: '0 0 3 * * ?',
          timeZone: 'Australia/Lord_Howe',
        },
        `schedule { ${FIELDS} }`,
      )
    ).schedule;
  const update = (id: string, input: object): Promise<any> =>
    service.mutate('scheduleUpdate', { id, ...input }, `schedule { ${FIELDS} } ${ERRORS}`);
  const start = (id: string): Promise<any> =>
    service.mutate(
      'scheduleStart',
      { id },
      `run { databaseId trigger schedule { id lastRun { databaseId } } } ${ERRORS}`,
    );
  const startAll = (ids: readonly string[]): Promise<any> =>
    service.mutate('schedulesStart', { ids }, `runs { databaseId } ${ERRORS}`);

  it('are created enabled, with their next five due times', async () => {
    const schedule = await added();
    expect(schedule).toMatchObject({
      cron: '0 0 3 * * ?',
      timeZone: 'Australia/Lord_Howe',
      enabled: true,
      logging: false,
      missedFires: 'ONCE',
      version: 1,
      workflow: { databaseId: workflowId },
      lastRun: null,
      viewerCan: { update: true, start: true },
    });
    expect([schedule.nextFireTimes.length, schedule.nextFireTimes[0]]).toEqual([
      5,
      '2026-05-06T16:30:00.000Z',
    ]);
  });

  it('are found by id, title and state', async () => {
    const schedule = await added();
    expect(
      await service.data(
        `query ($id: ID!, $title: String!) { node(id: $id) { ... on Schedule { title } } schedules(filter: { title: { eq: $title }, enabled: { eq: true } }, orderBy: { field: NEXT_FIRE }) { totalCount nodes { ${FIELDS} } } }`,
        { id: schedule.id, title: schedule.title },
      ),
    ).toEqual({
      node: { title: schedule.title },
      schedules: { totalCount: 1, nodes: [schedule] },
    });
  });

  it.each([
    [{ isNull: false }, 1],
    [{ isNull: true }, 0],
    [{ gte: '2026-05-06T16:30:00.000Z' }, 1],
    [{ lte: '2026-05-06T16:29:59.999Z' }, 0],
  ])('are found by their next due time: %j', async (nextFire, count) => {
    const { title } = await added();
    const schedules = await service.field(
      'query ($filter: ScheduleFilter!) { schedules(filter: $filter, orderBy: { field: NEXT_FIRE }) { totalCount } }',
      { filter: { title: { eq: title }, nextFire } },
    );
    expect(schedules.totalCount).toBe(count);
  });

  it('change, and report all invalid fields at once', async () => {
    const { id, title } = await added();
    expect(
      (await update(id, { cron: '0 0 4 ? * SUN', missedFires: 'SKIP', expectedVersion: 1 }))
        .schedule,
    ).toMatchObject({ cron: '0 0 4 ? * SUN', missedFires: 'SKIP', version: 2, title });
    expect(
      await update(id, {
        title: ' ',
        cron: '0 0 25 * * ?',
        timeZone: 'Mars',
        workflowId: '987654',
        expectedVersion: 1,
      }),
    ).toEqual({
      schedule: null,
      userErrors: [
        { code: 'CONFLICT', path: ['expectedVersion'] },
        { code: 'TITLE_INVALID', path: ['title'] },
        { code: 'CRON_INVALID', path: ['cron'] },
        { code: 'TIME_ZONE_INVALID', path: ['timeZone'] },
        { code: 'CONNECTION_NOT_FOUND', path: ['workflowId'] },
      ],
    });
  });

  it('start on demand, one run for each schedule that is named', async () => {
    const { id } = await added();
    const { run, userErrors } = await start(id);
    const { databaseId } = run;
    expect([run, userErrors]).toEqual([
      { databaseId, trigger: 'MANUAL', schedule: { id, lastRun: { databaseId } } },
      [],
    ]);
    await ended(databaseId);
    const several = await startAll([id, id]);
    expect(several).toEqual({ runs: [{ databaseId: expect.any(Number) }], userErrors: [] });
    await ended(several.runs[0].databaseId);
  });

  it('are named in the audit entry of the runs that they start', async () => {
    const { id, databaseId: scheduleId } = await added();
    const workflowRun = await service.mutate('workflowRun', { workflowId }, 'run { databaseId }');
    const runs = [(await start(id)).run, (await startAll([id])).runs[0], workflowRun.run];
    for (const { databaseId } of runs) await ended(databaseId);
    const { nodeId: snapshotId, title } = await service.body(
      'GET',
      `/api/connection/${workflowId}`,
    );
    const entries = await Promise.all(
      runs.map(async ({ databaseId }) => {
        const auditEvents = await service.field(
          'query ($id: String!) { auditEvents(filter: { action: { eq: RUN_START }, targetId: { eq: $id } }) { nodes { after } } }',
          { id: String(databaseId) },
        );
        return auditEvents.nodes;
      }),
    );
    expect(entries).toEqual(
      [scheduleId, scheduleId, null].map((schedule) => [
        {
          after: {
            workflowId,
            title,
            snapshotId,
            scheduleId: schedule,
            test: false,
            logging: false,
          },
        },
      ]),
    );
  });

  it('have no due times while they are disabled', async () => {
    const { id } = await added();
    const schedulesEnable = await service.mutate(
      'schedulesEnable',
      { ids: [id], enabled: false },
      `ids schedules { enabled nextFireTimes } ${ERRORS}`,
    );
    expect(schedulesEnable).toEqual({
      ids: [id],
      schedules: [{ enabled: false, nextFireTimes: [] }],
      userErrors: [],
    });
  });

  it('are terminated without runs', async () => {
    const { id, title } = await added();
    const scheduleTerminate = await service.mutate(
      'scheduleTerminate',
      { id },
      `schedule { title } ${ERRORS}`,
    );
    expect(scheduleTerminate).toEqual({ schedule: { title }, userErrors: [] });
  });

  it('are deleted, and their runs remain without them', async () => {
    const { id, title } = await added();
    const { databaseId } = (await start(id)).run;
    await ended(databaseId);
    const schedulesDelete = await service.mutate(
      'schedulesDelete',
      { ids: [id] },
      `schedules { title } ${ERRORS}`,
    );
    expect(schedulesDelete).toEqual({ schedules: [{ title }], userErrors: [] });
    expect(
      await service.data(
        'query ($id: ID!, $run: ID!) { schedule(id: $id) { title } run(id: $run) { schedule { title } } }',
        { id, run: databaseId },
      ),
    ).toEqual({ schedule: null, run: { schedule: null } });
  });
});
