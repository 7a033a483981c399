import fc from 'fast-check';
import { calendarIn, daysOfMonth } from '../../../src/features/widgets/calendar';
import { systemClock } from '../../../src/platform/clock/clock';
import type { Clock } from '../../../src/platform/clock/clock';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  reached,
  startService,
  testService,
} from '../../support/service/harness';
import { remoteSystem, testRemote } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { rounds } from '../../support/rounds';
import { storeCalls, storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const remote = testRemote(({ path }) =>
  path === '/hang' ? new Promise(() => undefined) : { status: path === '/bad' ? 500 : 200 },
);

/** Its steps decide the result of the run: a non-boolean expression fails it. */
const good = (): object => workflow([]);
const bad = (): object => workflow([], [{ index: '0', type: 'if', expression: '(1 + 1)' }]);

describe('the widgets', () => {
  const service = testService();

  const timeline = async (query = ''): Promise<any> =>
    service.api('GET', `/api/widget/executions-timeline${query}`);
  const top = async (query = ''): Promise<any> =>
    service.api('GET', `/api/widget/top-workflows${query}`);

  it('start with seven empty days that end today, and no rows', async () => {
    const { status, body } = await timeline();
    expect(status).toBe(200);
    const today = new Date().toISOString().slice(0, 10);
    expect(body.points).toHaveLength(7);
    expect(body.points.at(-1)).toEqual({
      date: today,
      dayOfWeek: new Date()
        .toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
        .toUpperCase(),
      executions: 0,
      failures: 0,
    });
    expect((await top()).body).toEqual({ rows: [] });
  });

  it('count every ended run, failures separately and no tests, alike in both APIs', async () => {
    const [one, two] = [await saved(service, good()), await saved(service, bad())];
    for (const id of [one, one, one, two]) await ended(service, await started(service, id));
    const {
      body: { runId },
    } = await service.api('POST', '/api/connection/execution/test', { body: bad() });
    await ended(service, runId);
    const testRunStart = await service.mutate(
      'testRunStart',
      { workflowId: one },
      'run { databaseId }',
    );
    await ended(service, testRunStart.run.databaseId);

    const {
      body: { points },
    } = await timeline('?days=1');
    expect(points).toMatchObject([{ executions: 4, failures: 1 }]);
    const {
      body: { rows },
    } = await top('?limit=5');
    expect(rows).toEqual([
      { connectionId: one, title: expect.any(String), executions: 3, failureRate: 0 },
      { connectionId: two, title: expect.any(String), executions: 1, failureRate: 100 },
    ]);
    const data = await service.data(
      '{ executionsTimeline(days: 1) { date dayOfWeek executions failures } topWorkflows { title executions failureRate workflow { databaseId } } }',
    );
    expect(data).toEqual({
      executionsTimeline: points,
      topWorkflows: rows.map(({ connectionId, ...figures }: any) => ({
        ...figures,
        workflow: { databaseId: connectionId },
      })),
    });
    expect((await top('?limit=1')).body.rows).toEqual(rows.slice(0, 1));
  });

  it('show the current title, and drop a deleted workflow from the ranking but not from the timeline', async () => {
    const document = workflow([]);
    const id = await saved(service, document);
    for (let run = 0; run < 4; run += 1) await ended(service, await started(service, id));
    await service.api('PUT', `/api/connection/${id}`, {
      body: { ...document, title: 'The busiest of all' },
    });
    expect((await top('?limit=1')).body.rows).toEqual([
      { connectionId: id, title: 'The busiest of all', executions: 4, failureRate: 0 },
    ]);
    const before = (await timeline('?days=1')).body;
    await service.api('DELETE', `/api/connection/${id}`);
    expect((await top('?limit=100')).body.rows.map((row: any) => row.connectionId)).not.toContain(
      id,
    );
    expect((await timeline('?days=1')).body).toEqual(before);
  });

  it('cost two store calls for any number of deleted workflows with runs', async () => {
    const rank = async (): Promise<number> =>
      (await storeCalls(() => top('?limit=3'))).filter((call) =>
        /run_counters|workflows/.test(call),
      ).length;
    await storeConnection()
      .collection<any>('run_counters')
      .insertMany(
        Array.from({ length: 300 }, (_, nth) => ({
          _id: `workflow/${900_000 + nth}`,
          kind: 'deleted',
          workflowId: 900_000 + nth,
          executions: 1_000 + nth,
          failures: 0,
        })),
      );
    expect(await rank()).toBe(2);
    expect((await top('?limit=3')).body.rows.map((row: any) => row.executions)).toEqual([3, 1]);
  });

  it('do not rank a workflow whose first run ends after its deletion', async () => {
    const id = await saved(service, workflow([method('0', `${remote.url}/hang`)]));
    const runId = await started(service, id);
    await remote.next();
    await service.api('DELETE', `/api/connection/${id}`);
    await ended(service, runId);
    expect(
      await storeConnection()
        .collection<any>('run_counters')
        .findOne({ _id: `workflow/${id}` }),
    ).toMatchObject({ kind: 'deleted', executions: 1 });
  });

  longIt('count each run once if many end at the same moment', async () => {
    const before = (await timeline('?days=1')).body.points[0].executions;
    const id = await saved(service, good());
    const runs = await Promise.all(Array.from({ length: 25 }, () => started(service, id)));
    await Promise.all(runs.map((runId) => ended(service, runId)));
    expect((await timeline('?days=1')).body.points[0].executions).toBe(before + 25);
    expect((await top('?limit=1')).body.rows[0]).toMatchObject({
      connectionId: id,
      executions: 25,
    });
  });

  it.each(['0', '-1', '367', '7.5', 'x', '', ' 7', '7&days=8'])('reject days=%s', async (days) => {
    const { status, body } = await timeline(
      `?days=${encodeURIComponent(days).replace('%26days%3D', '&days=')}`,
    );
    expect([status, body.message]).toEqual([400, 'BAD_REQUEST']);
    if (days !== '7&days=8') expect(body.error).toContain("'days' must be a positive number");
  });

  it.each(['0', '-5', '101', '2.5', 'all'])('reject limit=%s', async (limit) => {
    const { status, body } = await top(`?limit=${limit}`);
    expect([status, body.message]).toEqual([400, 'BAD_REQUEST']);
    expect(body.error).toContain("'limit' must be a positive number");
  });

  it('accept the maximum values and reject one more, in both APIs', async () => {
    expect((await timeline('?days=366')).body.points).toHaveLength(366);
    expect((await top('?limit=100')).status).toBe(200);
    expect(await service.field('{ executionsTimeline(days: 366) { date } }')).toHaveLength(366);
    for (const query of [
      '{ executionsTimeline(days: 367) { date } }',
      '{ executionsTimeline(days: 0) { date } }',
      '{ topWorkflows(limit: 101) { title } }',
    ]) {
      expect((await service.gql(query)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
  });
});

describe('days of the timeline', () => {
  longIt(
    'are those of the configured time zone, and a run counts on the day of its start',
    async () => {
      // In the future, because sockets check the expiry of tokens with the real clock.
      let now = new Date('2027-03-27T22:30:00Z');
      const clock: Clock = { ...systemClock, now: () => now };
      const service = await startService({ clock, env: { HYPHA_TIME_ZONE: 'Europe/Berlin' } });
      try {
        const points = async (): Promise<[string, number][]> => {
          const token = await service.login(ADMIN_EMAIL, ADMIN_PASSWORD);
          return (
            await service.api('GET', '/api/widget/executions-timeline?days=4', { token })
          ).body.points.map((point: any) => [point.date, point.executions]);
        };
        const run = async (): Promise<void> => {
          const token = await service.login(ADMIN_EMAIL, ADMIN_PASSWORD);
          const signedIn = { ...service, ...reached(service.url, token) };
          await ended(signedIn, await started(signedIn, await saved(signedIn, good())));
        };
        await run(); // Saturday 23:30 in Berlin
        now = new Date('2027-03-27T23:30:00Z');
        await run(); // Sunday 00:30, the day with 23 hours
        now = new Date('2027-03-28T21:59:59Z');
        await run(); // Sunday 23:59, summer time
        now = new Date('2027-03-28T22:00:00Z');
        await run(); // Monday 00:00
        expect(await points()).toEqual([
          ['2027-03-26', 0],
          ['2027-03-27', 1],
          ['2027-03-28', 2],
          ['2027-03-29', 1],
        ]);

        // Starts before midnight and ends after it.
        now = new Date('2027-03-29T21:59:00Z');
        const late = await remoteSystem(() => {
          now = new Date('2027-03-29T22:01:00Z');
          return {};
        });
        const token = await service.login(ADMIN_EMAIL, ADMIN_PASSWORD);
        const signedIn = { ...service, ...reached(service.url, token) };
        await ended(
          signedIn,
          await started(signedIn, await saved(signedIn, workflow([method('0', late.url)]))),
        );
        await late.close();
        expect(await points()).toEqual([
          ['2027-03-27', 1],
          ['2027-03-28', 2],
          ['2027-03-29', 2],
          ['2027-03-30', 0],
        ]);

        const executionsTimeline = await signedIn.field(
          '{ executionsTimeline(days: 4) { date startsAt endsAt executions } }',
        );
        expect(executionsTimeline.map(({ startsAt, endsAt }: any) => [startsAt, endsAt])).toEqual([
          ['2027-03-26T23:00:00.000Z', '2027-03-27T23:00:00.000Z'],
          ['2027-03-27T23:00:00.000Z', '2027-03-28T22:00:00.000Z'],
          ['2027-03-28T22:00:00.000Z', '2027-03-29T22:00:00.000Z'],
          ['2027-03-29T22:00:00.000Z', '2027-03-30T22:00:00.000Z'],
        ]);
        for (const { startsAt, endsAt, executions } of executionsTimeline) {
          const runs = await signedIn.field(
            'query($from: DateTime, $to: DateTime) { runs(filter: { and: [{ startedAt: { gte: $from } }, { not: { startedAt: { gte: $to } } }] }) { totalCount } }',
            { from: startsAt, to: endsAt },
          );
          expect([startsAt, runs.totalCount]).toEqual([startsAt, executions]);
        }
      } finally {
        await service.close();
      }
    },
  );

  it.each([
    ['Europe/Berlin', '2026-10-25T12:00:00Z', 3, ['2026-10-23', '2026-10-24', '2026-10-25']],
    ['America/Sao_Paulo', '2026-01-01T02:59:59Z', 2, ['2025-12-30', '2025-12-31']],
    ['Pacific/Kiritimati', '2025-12-31T10:00:00Z', 2, ['2025-12-31', '2026-01-01']],
    ['Pacific/Apia', '2011-12-31T12:00:00Z', 3, ['2011-12-30', '2011-12-31', '2012-01-01']],
    ['Asia/Kolkata', '2024-02-28T18:30:00Z', 2, ['2024-02-28', '2024-02-29']],
    ['UTC', '2024-03-01T00:00:00Z', 3, ['2024-02-28', '2024-02-29', '2024-03-01']],
  ] as [string, string, number, string[]][])('in %s are correct at %s', (zone, at, count, days) => {
    expect(calendarIn(zone).lastDays(new Date(at), count)).toEqual(days);
  });

  it.each([
    ['2024-02-10', '2024-02-01', '2024-02-29', 29],
    ['2026-02-28', '2026-02-01', '2026-02-28', 28],
    ['2026-12-31', '2026-12-01', '2026-12-31', 31],
    ['2026-04-01', '2026-04-01', '2026-04-30', 30],
  ])('of the month of %s are those from %s to %s', (day, first, last, count) => {
    const days = daysOfMonth(day);
    expect([days[0], days.at(-1), new Set(days).size, days.length]).toEqual([
      first,
      last,
      count,
      count,
    ]);
  });

  it('begin where the previous one ends, even if midnight does not exist', () => {
    // Apia skipped a day; in São Paulo and Beirut summer time starts at midnight, in Asunción it ended there.
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'America/Sao_Paulo',
      'Asia/Beirut',
      'America/Asuncion',
      'Asia/Kathmandu',
      'Pacific/Kiritimati',
    ];
    const days = [
      '2011-12-29',
      '2011-12-30',
      '2011-12-31',
      '2018-11-04',
      '2019-02-17',
      '2024-03-24',
      '2024-03-31',
      '2026-10-04',
      '2026-10-25',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.oneof(
          fc.constantFrom(...days),
          fc
            .integer({ min: 0, max: 25_000 })
            .map((nth) => new Date(nth * 86_400_000).toISOString().slice(0, 10)),
        ),
        (zone, day) => {
          const { dayOf, boundsOf, lastDays } = calendarIn(zone);
          const [start, end] = boundsOf(day);
          const [before = ''] = lastDays(new Date(start.getTime() - 1), 1);
          expect(before < day).toBe(true);
          expect(dayOf(end) > day).toBe(true);
          if (start.getTime() === end.getTime()) return;
          expect([dayOf(start), dayOf(new Date(end.getTime() - 1))]).toEqual([day, day]);
        },
      ),
      { numRuns: rounds(2_000) },
    );
    expect(
      calendarIn('Pacific/Apia')
        .boundsOf('2011-12-30')
        .map((at) => at.toISOString()),
    ).toEqual(['2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z']);
    expect(
      calendarIn('America/Sao_Paulo')
        .boundsOf('2018-11-04')
        .map((at) => at.toISOString()),
    ).toEqual(['2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z']);
  });
});
