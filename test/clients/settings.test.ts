import { testService } from '../support/service/harness';
import { client4x, client5x, unreadable } from '../support/browser/released-pages';

const service = testService();

const actionsOf = async (name: string): Promise<string[]> =>
  (
    await service.data('{ auditEvents(first: 50) { nodes { action target { type targetId } } } }')
  ).auditEvents.nodes
    .filter(({ target }: any) => target.type === 'SYSTEM_SETTING' && target.targetId === name)
    .map(({ action }: any) => action);

describe('a system setting of the 5.x client', () => {
  const COLOURS = { primary: '#0055aa', nested: { list: [1, null, true], 'a.b': '$x' } };

  it('is its default until an administrator sets it, and again after it is deleted', async () => {
    const admin = client5x(service);
    const reader = client5x(service, (await service.userWith([])).token);
    const path = 'system-setting/theme_colors';
    const unset = { status: 404, body: { status: 404, error: 'SYSTEM_SETTING_NOT_FOUND' } };
    expect(await reader.send('GET', path)).toMatchObject(unset);
    const set = await admin.read('PUT', path, { value: COLOURS });
    expect(set).toMatchObject({ name: 'theme_colors', value: COLOURS });
    const seen = await reader.read('GET', path);
    expect(seen).toEqual(set);
    expect(unreadable(seen, { name: 'string', value: 'object', updatedAt: 'number' })).toEqual([]);
    expect((await admin.send('DELETE', path)).status).toBe(204);
    expect(await reader.send('GET', path)).toMatchObject(unset);
    expect((await admin.send('DELETE', path)).status).toBe(204);
    expect(await actionsOf('theme_colors')).toEqual([
      'SYSTEM_SETTING_DELETE',
      'SYSTEM_SETTING_UPDATE',
    ]);
  });

  it.each([
    ['an object', { filename: 'logo.png', url: './storage/files/logo.png' }],
    ['a list', ['#fff']],
    ['a text', 'dark'],
    ['null', null],
    ['false', false],
    ['zero', 0],
  ])('may be %s', async (_kind, value) => {
    const client = client5x(service);
    await client.read('PUT', 'system-setting/app_logo', { value });
    expect((await client.read('GET', 'system-setting/app_logo')).value).toEqual(value);
  });

  it('is set only by administrators, with a value that is not too large', async () => {
    const path = 'system-setting/app_logo';
    const admin = client5x(service);
    const before = await admin.read('PUT', path, { value: 'kept' });
    const { token } = await service.userWith(['APP:UPDATE']);
    for (const method of ['PUT', 'DELETE'])
      expect(await client5x(service, token).send(method, path, { value: 'taken' })).toMatchObject({
        status: 500,
        body: { message: 'ACCESS_DENIED' },
      });
    expect(await admin.send('PUT', path, { value: 'x'.repeat(64 * 1024) })).toMatchObject({
      status: 413,
    });
    expect(await admin.send('PUT', path, {})).toMatchObject({ status: 400 });
    expect(await admin.read('GET', path)).toEqual(before);
  });

  it.each(['GET', 'PUT', 'DELETE'])('of another name is not found with %s', async (method) => {
    expect(
      await client5x(service).send(
        method,
        'system-setting/other',
        method === 'PUT' ? { value: 1 } : undefined,
      ),
    ).toMatchObject({ status: 404, body: { error: 'SYSTEM_SETTING_NOT_FOUND' } });
  });
});

describe('the editor settings of the 4.x client', () => {
  const SETTINGS = { colorMode: 'BACKGROUND', processTextSize: 14 };

  it('are missing at first, and belong to their user', async () => {
    const [one, other] = [await service.userWith([]), await service.userWith([])];
    const client = client4x(service, one.token);
    const path = `editor/settings/user/${one.id}`;
    expect(await client.send('GET', path)).toMatchObject({
      status: 500,
      body: { message: `User ${one.id} has no settings of the editor.` },
    });
    const saved = await client.send('POST', 'editor/settings', { userId: one.id, ...SETTINGS });
    expect(saved).toMatchObject({ status: 201, body: { userId: one.id, ...SETTINGS } });
    expect(unreadable(saved.body, { id: 'number', userId: 'number' })).toEqual([]);
    await client.read('POST', 'editor/settings', { userId: one.id, ...SETTINGS, colorMode: 'B' });
    expect(await client.read('GET', path)).toEqual({ ...saved.body, colorMode: 'B' });
    for (const [method, to, body] of [
      ['GET', path, undefined],
      ['POST', 'editor/settings', { userId: one.id, ...SETTINGS }],
    ] as const)
      expect(await client4x(service, other.token).send(method, to, body)).toMatchObject({
        status: 500,
        body: { message: expect.stringMatching(/ACCESS_DENIED/) },
      });
    expect((await client.read('GET', path)).colorMode).toBe('B');
  });

  it('are deleted with their user', async () => {
    const { id, token } = await service.userWith([]);
    await client4x(service, token).read('POST', 'editor/settings', { userId: id, ...SETTINGS });
    const admin = client4x(service);
    expect(await admin.send('GET', `editor/settings/user/${id}`)).toMatchObject({ status: 200 });
    await admin.read('DELETE', `user/${id}`);
    expect(await admin.send('GET', `editor/settings/user/${id}`)).toMatchObject({
      status: 500,
      body: { error: 'EDITOR_SETTINGS_NOT_FOUND' },
    });
  });
});

it('the sign-in page of the 5.x client learns that there is no other service to sign in with', async () => {
  expect(await client5x(service, null).read('GET', 'oidc/info')).toEqual({
    enabled: false,
    displayName: '',
  });
});
