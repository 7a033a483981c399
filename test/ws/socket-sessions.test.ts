/** @jest-environment node */
import { WebSocket } from 'ws';
import { testService } from '../support/service/harness';
import { Client } from '../support/graphql/open-library';

describe('the sockets of a session', () => {
  const service = testService();

  const connect = async (token: string): Promise<Client> => {
    const client = new Client(
      new WebSocket(service.url.replace('http', 'ws') + '/ws', 'graphql-transport-ws'),
    );
    await client.opened();
    client.send({ type: 'connection_init', payload: { Authorization: token } });
    await client.until(({ type }) => type === 'connection_ack');
    return client;
  };

  it('receive the end of the session and close', async () => {
    const member = await service.userWith(['MYPROFILE:READ']);
    const [listening, idle] = await Promise.all([connect(member.token), connect(member.token)]);
    const other = await connect(service.adminToken);
    listening.subscribe('events', 'subscription { sessionEvents { __typename } }');
    await listening.ask('ready', '{ me { email } }');
    await service.data('mutation { logout { userErrors { code } } }', {}, member.token);
    expect((await listening.results('events', 1))[0]).toEqual({
      data: { sessionEvents: { __typename: 'SessionEvent' } },
    });
    for (const client of [listening, idle]) expect((await client.close()).code).toBe(4403);
    expect((await other.ask('1', '{ me { email } }')).errors).toBeUndefined();
    other.connection.terminate();
  });

  it('keep only what the user group still permits', async () => {
    const member = await service.userWith(['USER:READ', 'DASHBOARD:READ']);
    const client = await connect(member.token);
    client.subscribe('dashboard', 'subscription { dashboard { __typename } }');
    await client.results('dashboard', 1);
    const grants = await service.data(
      'query ($id: ID!) { userGroup(id: $id) { components { component { id name } } } }',
      { id: String(member.groupId) },
    );
    const user = grants.userGroup.components.find(({ component }: any) => component.name === 'USER')
      .component.id;
    await service.data(
      'mutation ($input: GroupComponentsSetInput!) { groupComponentsSet(input: $input) { userErrors { code } } }',
      {
        input: {
          id: String(member.groupId),
          components: [{ componentId: user, permissions: ['READ'] }],
        },
      },
    );
    expect(
      (await client.ask('users', '{ users(first: 1) { totalCount } }')).errors,
    ).toBeUndefined();
    const answer = await client.ask('again', 'subscription { dashboard { __typename } }');
    expect(answer.errors[0].extensions.code).toBe('FORBIDDEN');
    // The open subscription ends too, although no event occurs.
    await client.until(({ type, id }) => type === 'complete' && id === 'dashboard');
    expect((await client.results('dashboard', 2))[1]).toEqual({
      data: null,
      errors: [
        expect.objectContaining({
          path: ['dashboard'],
          extensions: expect.objectContaining({ code: 'FORBIDDEN' }),
        }),
      ],
    });
    client.connection.terminate();
  });

  it('receive audit events of administrators', async () => {
    const client = await connect(service.adminToken);
    client.subscribe(
      'audit',
      'subscription { auditEvents { action target { type } actor { email } } }',
    );
    await client.ask('ready', '{ me { email } }');
    await service.data(
      'mutation ($input: PermissionCreateInput!) { permissionCreate(input: $input) { userErrors { code } } }',
      { input: { name: 'WATCH' } },
    );
    const event = await client.until(({ id, type }) => id === 'audit' && type === 'next');
    expect(event.payload.data.auditEvents).toMatchObject({
      target: { type: 'PERMISSION' },
      actor: { email: expect.stringContaining('admin') },
    });
    client.connection.terminate();
  });
});
