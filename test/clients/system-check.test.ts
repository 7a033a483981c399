import { testService } from '../support/service/harness';
import { client5x, HEADERS_OF_4X, RELEASED, unreadable } from '../support/browser/released-pages';
import { supportFile } from '../support/calls/support-log-calls';
import { saved, workflow } from '../support/documents/workflows';

const service = testService();

const health = (path = '', token = service.adminToken) =>
  service.api('GET', `${RELEASED}/actuator/health${path}`, { token, headers: HEADERS_OF_4X });

describe('the system check', () => {
  it('has the components that both clients show, with 200 although mail is down', async () => {
    const component = { status: 'string', details: 'object' } as const;
    const named = { status: 'string', details: { name: 'string', version: 'string' } } as const;
    for (const answer of [await health(), await client5x(service).send('GET', 'actuator/health')]) {
      expect([answer.status, answer.body.components.email.status]).toEqual([200, 'DOWN']);
      expect(
        unreadable(answer.body, {
          status: 'string',
          components: {
            mariaDB: named,
            mongoDB: named,
            hypha: { status: 'string', details: { version: 'string' } },
            os: named,
            email: { status: 'string', details: { error: 'string' } },
            polyglot: component,
          },
        }),
      ).toEqual([]);
    }
  });

  it('answers the database to every user of the 4.x client, also after the sign-in', async () => {
    const { token } = await service.userWith([]);
    for (const name of ['mongoDB', 'mariaDB'])
      expect((await health(`/${name}`, token)).body.status).toBe('UP');
  });

  it('refuses an unknown component without ending the session', async () => {
    expect(await health('/elasticsearch')).toMatchObject({ status: 500 });
  });
});

describe('support files of the 5.x client', () => {
  it('are listed, downloaded and deleted', async () => {
    const client = client5x(service);
    const document = workflow([]);
    const id = await saved(service, document);
    for (let nth = 0; nth < 2; nth += 1) await supportFile(service, id);
    const list = (): Promise<any[]> => client.read('GET', 'connection/support-file/list');
    const rows = await list();
    expect(
      unreadable(rows, [
        {
          connectionId: 'number',
          connectionTitle: 'string?',
          supportFile: 'string',
          status: 'string',
          message: 'string',
        },
      ]),
    ).toEqual([]);
    expect(rows).toMatchObject([
      { connectionId: id, connectionTitle: document.title, status: 'CONNECTION_FOUND' },
      { connectionId: id },
    ]);
    const [first, second] = rows.map((row) => row.supportFile as string);
    expect(first).toMatch(new RegExp(`_\\d{4}-\\d\\d-\\d\\d_\\d\\d-\\d\\d_${id}_[sf]_\\d+\\.zip$`));
    const file = await service.api('GET', `${RELEASED}/api${first}`);
    expect([file.status, file.text.slice(0, 2)]).toEqual([200, 'PK']);
    const nameOf = (path = ''): string => path.slice(path.lastIndexOf('/') + 1);
    await client.read('DELETE', `connection/support-file/${nameOf(first)}`);
    await client.read('PUT', 'connection/support-file/delete/list', {
      filenames: [nameOf(second)],
    });
    expect(await list()).toEqual([]);
  });
});
