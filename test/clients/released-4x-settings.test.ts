import { testService, unique } from '../support/service/harness';
import {
  client4x,
  expectReadable,
  HEADERS_OF_4X,
  RELEASED,
} from '../support/browser/released-pages';
import type { PageClient, Shape } from '../support/browser/released-pages';

/* The pages of the 4.x client about users, texts and the dashboard. */

let client: PageClient;
const service = testService();
beforeAll(async () => {
  client = client4x(service);
});

/** Sends a request next to `/api`, as the client does before it has a session. */
const atBase = (path: string, body?: object) =>
  service.api(body ? 'POST' : 'GET', `${RELEASED}/${path}`, {
    token: null,
    body,
    headers: HEADERS_OF_4X,
  });

describe('a missing session in the 4.x client', () => {
  it.each(['', 'Bearer nonsense', 'Basic YTpi'])(
    'has the message that the client knows: %j',
    async (sent) => {
      const answer = await client4x(service, sent === '' ? null : sent).send('GET', 'user/all');
      expect(answer).toMatchObject({
        status: 401,
        body: { message: 'Full authentication is required to access this resource' },
      });
    },
  );

  it('is not confused with a missing right', async () => {
    const { token } = await service.userWith([]);
    expect(await client4x(service, token).send('GET', 'user/all')).toMatchObject({
      status: 500,
      body: { message: 'ACCESS_DENIED' },
    });
  });

  it('is not confused with a wrong password', async () => {
    expect(await atBase('login', { email: 'unknown@hypha.test', password: 'x' })).toMatchObject({
      status: 401,
      body: { message: 'Bad credentials' },
    });
  });
});

describe('the categories page of the 4.x client', () => {
  it('adds, edits and deletes categories', async () => {
    const name = unique('Category ');
    const check = `category/check/${encodeURIComponent(name)}`;
    expect(await client.read('GET', check)).toMatchObject({ message: 'NOT_EXISTS' });
    const shape: Shape = {
      id: 'number',
      name: 'string',
      parentCategory: 'object?',
      subCategories: 'array',
    };
    const parent = await client.read('POST', 'category', { name, parentCategory: null });
    expectReadable(parent, shape);
    const child = await client.read('POST', 'category', {
      name: unique('Child '),
      parentCategory: parent.id,
    });
    const [listed] = (await client.read('GET', 'category/all')).filter(
      ({ id }: { id: number }) => id === child.id,
    );
    expectReadable(listed, { ...shape, parentCategory: { id: 'number', name: 'string' } });
    expect((await client.read('GET', `category/${parent.id}`)).subCategories).toEqual([child.id]);
    const edited = { id: child.id, name: child.name, parentCategory: null };
    expectReadable(await client.read('PUT', `category/${child.id}`, edited), shape);
    await client.read('DELETE', `category/${child.id}`);
    await client.read('DELETE', `category/cascade-delete/${parent.id}`);
    expect(await client.read('GET', check)).toMatchObject({ message: 'NOT_EXISTS' });
  });
});

describe('the aggregators page of the 4.x client', () => {
  it('adds, edits and archives an aggregator, and removes an argument', async () => {
    const name = unique('Aggregator ');
    const unused = `aggregator/unique/${encodeURIComponent(name)}`;
    expect(await client.read('GET', unused)).toMatchObject({ result: true });
    const args = ['first', 'second'].map((arg) => ({ name: arg, description: '' }));
    const script = 'var x = 1;\n\nfirst = x;';
    const { id } = await client.read('POST', 'aggregator', { name, args, script, active: true });
    expect(await client.read('GET', unused)).toMatchObject({ result: false });
    const shape: Shape = {
      id: 'number',
      name: 'string',
      active: 'boolean',
      args: [{ id: 'number', name: 'string', description: 'string?' }],
      script: 'string',
    };
    const loaded = await client.read('GET', `aggregator/${id}`);
    expectReadable(loaded, shape);
    expect(loaded.script).toBe(script);
    await client.read('DELETE', `aggregator/argument/${loaded.args[1].id}`);
    const input = { id, name, args: [loaded.args[0]], script, active: true };
    expect(await client.read('POST', 'aggregator', input)).toMatchObject({ id });
    await client.read('PUT', `aggregator/${id}/status`, { active: false });
    expectReadable(await client.read('GET', 'aggregator/all'), [shape]);
    expect((await client.read('GET', `aggregator/${id}`)).args).toHaveLength(1);
  });
});

describe('the dashboard of the 4.x client', () => {
  it('saves the layout at every load, and reads it again', async () => {
    const [widget] = await client.read('GET', 'widget/all');
    const box = { x: 0, y: 0, w: 6, h: 4, minW: 1, minH: 1 };
    const sent = { ...widget, ...box, moved: false, static: false };
    await client.read('POST', 'widget_setting', { userId: 1, widgetSettings: [sent] });
    const { widgetSettings } = await client.read('GET', 'widget_setting/user/1');
    expectReadable(widgetSettings, [
      { widgetId: 'number', widgetSettingId: 'number', i: 'string', x: 'number', minH: 'number' },
    ]);
    expect(widgetSettings).toMatchObject([{ i: widget.i, ...box }]);
    await client.read('POST', 'widget_setting', {
      userId: 1,
      widgetSettings: [{ ...sent, ...widgetSettings[0], x: 2 }],
    });
    const moved = await client.read('GET', 'widget_setting/user/1');
    expect(moved.widgetSettings).toMatchObject([{ x: 2 }]);
  });
});
