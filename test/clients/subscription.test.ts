import { testService } from '../support/service/harness';
import { client4x, client5x, fileForm, unreadable } from '../support/browser/released-pages';
import type { Shape } from '../support/browser/released-pages';
import { storeConnection } from '../support/store/stored';
import { ended } from '../support/service/watch';
import { saved, started, workflow } from '../support/documents/workflows';

const service = testService();

const CLIENTS = [
  ['4.x', client4x],
  ['5.x', client5x],
] as const;

/** Executes a new workflow; returns its id and its title. */
async function executed(times: number): Promise<{ id: number; title: string }> {
  const document = workflow([]);
  const id = await saved(service, document);
  for (let nth = 0; nth < times; nth += 1) await ended(service, await started(service, id));
  return { id, title: document.title };
}

interface Subscription {
  readonly subId?: string;
  readonly active: boolean;
  readonly endDate: number;
  readonly totalOperationUsage: number;
  readonly currentOperationUsage: number;
  readonly extraOps: number | null;
}

const isOver = (endDate: number): boolean => endDate > 0 && endDate < Date.now();

/** When each client lets a user start a run. */
const STARTS: Readonly<Record<string, (of: Subscription) => boolean>> = {
  '4.x': ({ active, endDate, totalOperationUsage: total, currentOperationUsage: used }) =>
    active && !isOver(endDate) && total > 0 && used < total,
  '5.x': ({ subId, active, endDate, totalOperationUsage: total, ...rest }) =>
    Boolean(subId) &&
    active &&
    !isOver(endDate) &&
    !(total > 0 && rest.currentOperationUsage >= total + (rest.extraOps ?? 0)),
};

const SUBSCRIPTION: Shape = {
  _id: 'string',
  subId: 'string',
  licenseId: 'string?',
  type: 'string',
  active: 'boolean',
  startDate: 'number',
  endDate: 'number',
  duration: 'string',
  totalOperationUsage: 'number',
  currentOperationUsage: 'number',
  extraOps: 'number?',
  monthPeriod: { startDate: 'number', endDate: 'number' },
};

describe.each(CLIENTS)('the subscription of the %s client', (line, clientOf) => {
  it('is readable, and lets every user start runs', async () => {
    const { token } = await service.userWith([]);
    const answer = await clientOf(service, token).send('GET', 'subs/active');
    expect([answer.status, unreadable(answer.body, SUBSCRIPTION)]).toEqual([200, []]);
    expect(STARTS[line]?.(answer.body as Subscription)).toBe(true);
    expect(answer.body.totalOperationUsage).toBe(line === '4.x' ? 1_000_000_000 : 0);
    expect(answer.headers.get('vary')).toMatch(/crossDomain, timeout/);
  });

  it('counts the runs of the month that the response names', async () => {
    const client = clientOf(service);
    const before = await client.read('GET', 'subs/active');
    await executed(2);
    const after = await client.read('GET', 'subs/active');
    expect(after.currentOperationUsage - before.currentOperationUsage).toBe(2);
    const { startDate, endDate } = after.monthPeriod;
    expect([startDate <= Date.now(), endDate >= Date.now()]).toEqual([true, true]);
    const days = (endDate - startDate) / 86_400_000;
    expect([days > 27, days < 32]).toEqual([true, true]);
  });

  it('stays above any usage, with a round total', async () => {
    await executed(1);
    const days = storeConnection().collection<{ _id: string }>('run_counters');
    const today = { _id: /^day\// };
    await days.updateOne(today, { $inc: { executions: 2_500_000_000 } });
    const { body } = await clientOf(service).send('GET', 'subs/active');
    await days.updateOne(today, { $inc: { executions: -2_500_000_000 } });
    expect(STARTS[line]?.(body as Subscription)).toBe(true);
    expect(body.totalOperationUsage).toBe(line === '4.x' ? 10_000_000_000 : 0);
  });

  it('is not readable without a session', async () => {
    expect(await clientOf(service, null).send('GET', 'subs/active')).toMatchObject({
      status: 401,
    });
  });

  it('lists runs of each workflow, and of one the single runs', async () => {
    const [{ id, title }, client] = [await executed(3), clientOf(service)];
    const usage = await client.read('GET', 'subs/operation/usage?page=0&size=5');
    expect(
      unreadable(usage, {
        content: [
          {
            id: 'number',
            connectionTitle: 'string',
            totalUsage: 'number',
            licenseId: 'string?',
            subId: 'string',
            createdAt: 'number',
            modifiedAt: 'number',
            fromConnector: 'string',
            toConnector: 'string',
          },
        ],
        currentPage: 'number',
        totalPages: 'number',
        totalItems: 'number',
      }),
    ).toEqual([]);
    expect(usage.content).toContainEqual(
      expect.objectContaining({ id, connectionTitle: title, totalUsage: 3 }),
    );
    const details = (page: number): Promise<any> =>
      client.read(
        'GET',
        `subs/operation/usage/${id}/details?page=${page}&size=2&sort=startDate,desc`,
      );
    const [first, second] = [await details(0), await details(1)];
    const row: Shape = { id: 'number', startDate: 'number', operationUsage: 'number' };
    expect(unreadable(first.content, [row])).toEqual([]);
    expect(first).toMatchObject({ currentPage: 0, totalPages: 2, totalItems: 3 });
    const moments = [...first.content, ...second.content].map(({ startDate }) => startDate);
    expect(moments).toHaveLength(3);
    expect(moments).toEqual(moments.toSorted((a, b) => b - a));
  });

  it('offers no licence, and says why when one is activated or deleted', async () => {
    const client = clientOf(service);
    expect(await client.read('GET', 'subs/all')).toEqual([]);
    for (const [method, path, body] of [
      ['POST', 'subs/activate/license', fileForm('a licence', 'licence.txt')],
      ['POST', 'extra-ops', fileForm('more', 'more.txt')],
      ['POST', 'subs/any', {}],
      ['GET', 'subs/free/activate', undefined],
      ['DELETE', 'subs/unlimited', undefined],
    ] as const) {
      const { status, body: answer } = await client.send(method, path, body);
      expect([path, status, answer.error, answer.message]).toEqual([
        path,
        400,
        'LICENCE_NOT_NEEDED',
        'This product needs no licence: it has no limits to unlock.',
      ]);
    }
    const request = await client.send('GET', 'subs/activation/request/generate');
    expect([request.status, request.headers.get('content-type'), request.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'This product needs no licence: it has no limits to unlock.\n',
    ]);
  });
});

describe('the usage in a period', () => {
  it('counts the runs that were queued in it', async () => {
    const { id } = await executed(1);
    const client = client5x(service);
    const usedIn = async (startDate: string | number, endDate: string | number) => {
      const query = `page=0&size=1000&startDate=${startDate}&endDate=${endDate}`;
      const { content } = await client.read('GET', `subs/operation/usage?${query}`);
      const details = await client.read('GET', `subs/operation/usage/${id}/details?${query}`);
      return [content.find((row: any) => row.id === id).totalUsage, details.totalItems];
    };
    const now = Date.now();
    const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
    const day = 86_400_000;
    expect(await usedIn('', '')).toEqual([1, 1]);
    expect(await usedIn(now - day, now + day)).toEqual([1, 1]);
    expect(await usedIn(dayOf(now - day), dayOf(now + day))).toEqual([1, 1]);
    expect(await usedIn(now + day, '')).toEqual([0, 0]);
    expect(await usedIn('', dayOf(now - 2 * day))).toEqual([0, 0]);
  });

  it('is refused if a bound is no time', async () => {
    expect(
      await client5x(service).send('GET', 'subs/operation/usage?startDate=yesterday'),
    ).toMatchObject({ status: 400, body: { message: expect.stringContaining("'startDate'") } });
  });

  it('needs the right to read workflows, whose titles it contains', async () => {
    const { token } = await service.userWith(['DASHBOARD:READ']);
    expect(await client5x(service, token).send('GET', 'subs/operation/usage')).toMatchObject({
      status: 500,
      body: { message: 'ACCESS_DENIED' },
    });
  });
});

describe('an online service', () => {
  it('is off for both clients', async () => {
    expect(await client4x(service).read('GET', 'subs/connection/check')).toEqual({ status: 'off' });
    expect(await client5x(service).read('GET', 'sync-history/status')).toEqual({
      active: false,
      invoker_sync: { active: false },
      template_sync: { active: false },
    });
  });
});

it('the 4.x client can show the subscription on the dashboard', async () => {
  const client = client4x(service);
  const widgets: any[] = await client.read('GET', 'widget/all');
  const { widgetId, icon } = widgets.find(({ i }) => i === 'SUBSCRIPTION_OVERVIEW');
  const sent = { widgetId, i: 'SUBSCRIPTION_OVERVIEW', icon, x: 0, y: 0, w: 6, h: 4 };
  await client.read('POST', 'widget_setting', { userId: 1, widgetSettings: [sent] });
  const { widgetSettings } = await client.read('GET', 'widget_setting/user/1');
  expect(widgetSettings).toMatchObject([{ widgetId, i: 'SUBSCRIPTION_OVERVIEW', w: 6, h: 4 }]);
});
