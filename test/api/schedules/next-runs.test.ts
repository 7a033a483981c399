import { testService } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';

const service = testService({ clock: movingClock(Date.parse('2026-05-06T08:00:00.000Z')) });

const nextRuns = (variables: object): Promise<any> =>
  service.gql(
    `query($cron: String!, $timeZone: TimeZone, $count: Int) {
      scheduleNextRuns(cron: $cron, timeZone: $timeZone, count: $count) { times words problem { code message } } }`,
    { ...variables },
  );
const result = async (variables: object): Promise<any> =>
  (await nextRuns(variables)).data.scheduleNextRuns;

it('scheduleNextRuns lists the next times in the time zone, with words', async () => {
  expect(
    await result({ cron: ' 0 0 8 ?  * MON-FRI', timeZone: 'Europe/Berlin', count: 3 }),
  ).toEqual({
    times: ['2026-05-07T06:00:00.000Z', '2026-05-08T06:00:00.000Z', '2026-05-11T06:00:00.000Z'],
    words: 'At 08:00 on weekdays',
    problem: null,
  });
  expect((await result({ cron: '0 0 0 1 1 ? 2027-2028' })).times).toHaveLength(2);
  expect(await result({ cron: '' })).toEqual({ times: [], words: 'Only on demand', problem: null });
});

it.each([
  [{ cron: '* * *' }, 'CRON_INVALID'],
  [{ cron: '0 0 0 1 1 ? 2020' }, 'CRON_NEVER_DUE'],
  [{ cron: '0 0 0 * * ?', timeZone: 'Mars' }, 'TIME_ZONE_INVALID'],
])('scheduleNextRuns says why a schedule cannot be saved: %j', async (variables, code) => {
  expect(await result(variables)).toEqual({
    times: [],
    words: '',
    problem: { code, message: expect.stringMatching(/\.$/) },
  });
});

it('scheduleNextRuns computes at most 20 times', async () => {
  expect((await result({ cron: '0 * * * * ?', count: 20 })).times).toHaveLength(20);
  for (const count of [0, 21])
    expect((await nextRuns({ cron: '0 * * * * ?', count })).errors[0].extensions.reason).toBe(
      'BAD_REQUEST',
    );
});
