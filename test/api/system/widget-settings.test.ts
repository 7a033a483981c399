import { outcome, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';

const service = testService();
const member = () => service.userWith(['DASHBOARD:READ']);
type Member = Awaited<ReturnType<typeof member>>;
const dashboardOf = (of: Member, token = of.token): Promise<Answer> =>
  service.api('GET', `/api/widget_setting/user/${of.id}`, { token });
const arrange = (by: Member, widgetSettings: unknown, more: object = {}): Promise<Answer> =>
  service.api('POST', '/api/widget_setting', {
    token: by.token,
    body: { userId: by.id, widgetSettings, ...more },
  });
const added = (i = unique('WIDGET_')): Promise<{ widgetId: number; i: string }> =>
  service.body('POST', '/api/widget', {
    body: { i, icon: 'insights', tooltipTranslationKey: 'TIP' },
  });
const asSent = (widgetId: number, more: object = {}): object => ({
  widgetId,
  i: 'CURRENT_SCHEDULER',
  icon: 'schedule',
  tooltipTranslationKey: 'x',
  x: 0,
  y: 4,
  w: 6,
  h: 4,
  minW: 3,
  minH: 2,
  moved: false,
  static: false,
  ...more,
});

describe('the catalogue of widgets', () => {
  it('contains the widgets of installed clients in their shape', async () => {
    const { token } = await member();
    const all = await service.api('GET', '/api/widget/all', { token });
    expect(all.body.slice(0, 2)).toEqual([
      {
        widgetId: 1,
        i: 'CONNECTION_OVERVIEW',
        icon: 'cable',
        tooltipTranslationKey: 'Connection Overview',
      },
      {
        widgetId: 2,
        i: 'CURRENT_SCHEDULER',
        icon: 'date_range',
        tooltipTranslationKey: 'Current Scheduler',
      },
    ]);
    expect(await service.body('GET', '/api/widget/1', { token })).toEqual({
      id: 1,
      name: 'CONNECTION_OVERVIEW',
      icon: 'cable',
      tooltipTranslationKey: 'Connection Overview',
    });
    await service.refuses(404, 'WIDGET_NOT_FOUND', 'GET', '/api/widget/4711', { token });
    expect((await service.field('{ widgets { databaseId key icon } }', {}, token))[0]).toEqual({
      databaseId: 1,
      key: 'CONNECTION_OVERVIEW',
      icon: 'cable',
    });
  });

  it('is changed with the permission, in both APIs', async () => {
    const { token } = await member();
    expect(await service.status('POST', '/api/widget', { token, body: { i: 'MINE' } })).toBe(403);
    const key = unique('FIGURES_');
    const made = await service.api('POST', '/api/widget', { body: { i: ` ${key} ` } });
    expect(made).toMatchObject({
      status: 201,
      body: { widgetId: expect.any(Number), i: key, icon: null, tooltipTranslationKey: null },
    });
    expect(made.headers.get('location')).toBe(`${service.url}/api/widget/${made.body.widgetId}`);
    await service.refuses(409, 'WIDGET_ALREADY_EXISTS', 'POST', '/api/widget', {
      body: { i: key.toLowerCase() },
    });
    for (const [body, code] of [
      [{ i: ' ' }, 'NAME_INVALID'],
      [{ i: 'x'.repeat(65) }, 'NAME_INVALID'],
      [{ i: 'a', icon: 'x'.repeat(65) }, 'TEXT_TOO_LONG'],
      [{ i: 7 }, 'BAD_REQUEST'],
      [{}, 'BAD_REQUEST'],
    ] as const) {
      await service.refuses(400, code, 'POST', '/api/widget', { body });
    }
    expect(await service.status('DELETE', `/api/widget/${made.body.widgetId}`)).toBe(204);
    expect(await service.status('DELETE', `/api/widget/${made.body.widgetId}`)).toBe(204);
    const widgetCreate = await service.mutate(
      'widgetCreate',
      { key },
      'widget { id key } userErrors { code }',
    );
    expect(widgetCreate).toEqual({ widget: { id: expect.any(String), key }, userErrors: [] });
    const remove = (id: string) =>
      service.data(
        'mutation ($id: ID!) { widgetDelete(input: { id: $id }) { widget { key } userErrors { code } } }',
        { id },
      );
    expect((await remove(widgetCreate.widget.id)).widgetDelete).toEqual({
      widget: { key },
      userErrors: [],
    });
    expect((await remove(widgetCreate.widget.id)).widgetDelete).toEqual({
      widget: null,
      userErrors: [{ code: 'WIDGET_NOT_FOUND' }],
    });
  });
});

describe('a dashboard', () => {
  it('is empty first, and then contains the sent widgets, without unknown fields', async () => {
    const one = await member();
    expect((await dashboardOf(one)).body).toEqual({ userId: one.id, widgetSettings: [] });
    const saved = await arrange(one, [asSent(2), asSent(1, { x: 6, moved: true })]);
    expect(saved).toMatchObject({ status: 201 });
    const places = { y: 4, w: 6, h: 4, minW: 3, minH: 2 };
    expect(saved.body).toEqual({
      userId: one.id,
      widgetSettings: [
        { widgetSettingId: 1, widgetId: 2, i: 'CURRENT_SCHEDULER', x: 0, ...places },
        { widgetSettingId: 2, widgetId: 1, i: 'CONNECTION_OVERVIEW', x: 6, ...places },
      ],
    });
    expect((await dashboardOf(one)).body).toEqual(saved.body);
    const again = await arrange(one, [
      asSent(1, { widgetSettingId: 2 }),
      asSent(2, { widgetSettingId: null }),
      asSent(2, { widgetSettingId: 2 }),
    ]);
    expect(
      again.body.widgetSettings.map(({ widgetSettingId, widgetId }: any) => [
        widgetSettingId,
        widgetId,
      ]),
    ).toEqual([
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
  });

  it('is emptied by an empty list without affecting other users', async () => {
    const [one, other] = [await member(), await member()];
    for (const each of [one, other]) await arrange(each, [asSent(1)]);
    expect((await arrange(one, [])).body).toEqual({ userId: one.id, widgetSettings: [] });
    expect((await dashboardOf(other)).body.widgetSettings).toHaveLength(1);
  });

  it('is arranged by its user alone and visible with the permission for users', async () => {
    const [one, other] = [await member(), await member()];
    await arrange(one, [asSent(1)]);
    expect((await arrange(other, [], { userId: one.id })).status).toBe(403);
    expect((await dashboardOf(one, other.token)).status).toBe(403);
    expect((await dashboardOf(one, service.adminToken)).body.widgetSettings).toHaveLength(1);
    await service.refuses(500, 'USER_NOT_EXIST', 'GET', '/api/widget_setting/user/987654');
    expect(await service.status('GET', '/api/widget_setting/user/undefined')).toBe(400);
    const nobody = await service.userWith(['CONNECTION:READ']);
    expect([(await dashboardOf(nobody)).status, (await arrange(nobody, [])).status]).toEqual([
      403, 403,
    ]);
  });

  it.each<[unknown, number, string]>([
    [[asSent(4_711)], 404, 'WIDGET_NOT_FOUND'],
    [[asSent(1, { x: -1 })], 400, 'WIDGET_PLACE_INVALID'],
    [[asSent(1, { w: 1.5 })], 400, 'WIDGET_PLACE_INVALID'],
    [[asSent(1, { h: 10_001 })], 400, 'WIDGET_PLACE_INVALID'],
    [[asSent(1, { y: 'low' })], 400, 'BAD_REQUEST'],
    [Array.from({ length: 101 }, () => asSent(1)), 400, 'LIST_TOO_LONG'],
    [{}, 400, 'BAD_REQUEST'],
    [null, 400, 'BAD_REQUEST'],
    [[{}], 400, 'BAD_REQUEST'],
  ])('is not changed by invalid input: %#', async (settings, status, code) => {
    const one = await member();
    await arrange(one, [asSent(1)]);
    expect(outcome(await arrange(one, settings))).toEqual([status, code]);
    expect((await dashboardOf(one)).body.widgetSettings).toHaveLength(1);
  });

  it('has the client defaults for missing fields', async () => {
    const one = await member();
    expect((await arrange(one, [{ widgetId: '1', y: null }])).body.widgetSettings).toEqual([
      {
        widgetSettingId: 1,
        widgetId: 1,
        i: 'CONNECTION_OVERVIEW',
        x: 0,
        y: 0,
        w: 6,
        h: 4,
        minW: 0,
        minH: 0,
      },
    ]);
  });

  it('is one of many concurrent saves, complete', async () => {
    const one = await member();
    const sent = Array.from({ length: 12 }, (_, nth) =>
      Array.from({ length: nth + 1 }, () => asSent(1, { x: nth })),
    );
    const answers = await Promise.all(sent.map((settings) => arrange(one, settings)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { widgetSettings } = (await dashboardOf(one)).body;
    expect(widgetSettings.map(({ x }: any) => x)).toEqual(
      widgetSettings.map(() => widgetSettings.length - 1),
    );
  });

  it('does not show a deleted widget and is deleted with its user', async () => {
    const one = await member();
    const { widgetId } = await added();
    await arrange(one, [asSent(widgetId), asSent(1)]);
    await service.api('DELETE', `/api/widget/${widgetId}`);
    expect(
      (await dashboardOf(one)).body.widgetSettings.map((setting: any) => setting.widgetId),
    ).toEqual([1]);
    await service.api('DELETE', `/api/user/${one.id}`);
    expect(outcome(await dashboardOf(one, service.adminToken))).toEqual([500, 'USER_NOT_EXIST']);
  });

  it('is read and arranged in GraphQL', async () => {
    const { token } = await member();
    const replace =
      'mutation ($settings: [WidgetSettingInput!]!) { widgetSettingsReplace(input: { settings: $settings }) { widgetSettings { settingId x w widget { key } } userErrors { code path } } }';
    const done = await service.data(replace, { settings: [{ widgetId: 1, x: 3 }] }, token);
    expect(done.widgetSettingsReplace).toEqual({
      widgetSettings: [{ settingId: 1, x: 3, w: 6, widget: { key: 'CONNECTION_OVERVIEW' } }],
      userErrors: [],
    });
    expect(
      await service.field('{ widgetSettings { settingId x w widget { key } } }', {}, token),
    ).toEqual(done.widgetSettingsReplace.widgetSettings);
    const wrong = await service.data(
      replace,
      { settings: [{ widgetId: 4_711 }, { widgetId: 1 }, { widgetId: 4_712 }] },
      token,
    );
    expect(wrong.widgetSettingsReplace).toEqual({
      widgetSettings: null,
      userErrors: [
        { code: 'WIDGET_NOT_FOUND', path: ['settings', '0', 'widgetId'] },
        { code: 'WIDGET_NOT_FOUND', path: ['settings', '2', 'widgetId'] },
      ],
    });
    expect(
      (await service.field(replace, { settings: [{ widgetId: 1, x: -1 }] }, token)).userErrors,
    ).toEqual([{ code: 'WIDGET_PLACE_INVALID', path: ['settings', '0', 'x'] }]);
  });
});
