import { startService, testService, unique } from '../support/service/harness';
import { movingClock } from '../support/service/moving-clock';
import { client4x, client5x, fileForm } from '../support/browser/released-pages';
import { workflow } from '../support/documents/workflows';

/* The update assistant of the released clients, and the version that the 4.x client polls. */

const IDLE_SECONDS = 3_600;
const SIGNED_OUT = 'Full authentication is required to access this resource';
const NO_UPDATE = 'There is no update here: the operator of the service installs updates.';
const CLIENTS = [
  ['4.x', client4x],
  ['5.x', client5x],
] as const;
const service = testService();

describe('the version that the 4.x client polls', () => {
  it('is readable for every user, and is that of new templates', async () => {
    const { token } = await service.userWith([]);
    const { version } = await client4x(service, token).read('GET', 'assistant/oc/version');
    const template = await client4x(service).read('POST', 'template', {
      version,
      name: unique('polled'),
      description: '',
      connection: workflow([]),
    });
    expect([version, template.version]).toEqual(['5.0', '5.0']);
  });

  it('is refused without a valid session, with the text that signs out', async () => {
    const { token, id } = await service.userWith([]);
    await service.api('GET', `/api/user/${id}/logout`);
    for (const other of [null, 'Bearer nonsense', token])
      expect(await client4x(service, other).send('GET', 'assistant/oc/version')).toMatchObject({
        status: 401,
        body: { message: SIGNED_OUT },
      });
  });

  it('does not keep a session from going idle', async () => {
    const clock = movingClock();
    const env = { HYPHA_TOKEN_ACTIVITY_TIME: String(IDLE_SECONDS) };
    const idle = await startService({ clock, env });
    const polled = async (): Promise<number> =>
      (await client4x(idle).send('GET', 'assistant/oc/version')).status;
    clock.forward((IDLE_SECONDS - 1) * 1_000);
    expect(await polled()).toBe(200);
    clock.forward(2_000);
    expect(await polled()).toBe(401);
    await idle.close();
  });
});

describe.each(CLIENTS)('the update assistant of the %s client', (_line, clientOf) => {
  it('reaches its list of versions, which says that there is no update', async () => {
    const client = clientOf(service);
    expect(await client.read('GET', 'assistant/oc/installation')).toEqual({ type: 'sources' });
    expect(await client.read('GET', 'assistant/oc/restart/file/exists')).toMatchObject({
      message: 'EXISTS',
      result: true,
    });
    const { version } = await client.read('GET', 'assistant/oc/version');
    for (const kind of ['online', 'offline']) {
      const versions = await client.read('GET', `assistant/oc/${kind}/version/all`);
      expect(versions).toEqual([
        {
          name: version,
          status: 'current',
          changelogLink: expect.stringMatching(/^http:/),
          instruction: `<p>${NO_UPDATE}</p>`,
        },
      ]);
      const headers = { Authorization: service.adminToken };
      const changelog = await fetch(versions[0].changelogLink, { headers });
      expect(await changelog.text()).toBe(`${NO_UPDATE}\n`);
    }
  });

  it('says that the operator installs updates', async () => {
    const client = clientOf(service);
    for (const [method, path, body] of [
      ['POST', 'assistant/zipfile', fileForm('an update', 'update.zip')],
      ['DELETE', 'assistant/zipfile/[object%20Object]', undefined],
      ['GET', 'assistant/oc/online/version/6.0/download', undefined],
      ['POST', 'assistant/oc/migrate', { folder: 'x', version: '6.0', templates: [] }],
      ['POST', 'assistant/oc/update', undefined],
    ] as const) {
      const { status, body: answer } = await client.send(method, path, body);
      expect([path, status, answer.error, answer.message]).toEqual([
        path,
        400,
        'UPDATE_NOT_SUPPORTED',
        NO_UPDATE,
      ]);
    }
  });

  it('is refused to users who are not administrators, who stay signed in', async () => {
    const { token } = await service.userWith(['APP:READ']);
    expect(await clientOf(service, token).send('POST', 'assistant/oc/update')).toMatchObject({
      status: 500,
      body: { message: 'ACCESS_DENIED' },
    });
  });
});
