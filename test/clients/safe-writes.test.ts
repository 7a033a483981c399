import { testService, unique } from '../support/service/harness';
import { client4x, client5x } from '../support/browser/released-pages';

const service = testService();

describe('two released clients that save the same workflow', () => {
  it.each([
    ['4.x', client4x],
    ['5.x', client5x],
  ])('the later save of a %s client wins; the other one stays a version', async (_line, of) => {
    const users = await Promise.all([
      service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']),
      service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']),
    ]);
    const [first, second] = users.map(({ token }) => of(service, token));
    const { connectionId } = await of(service).read('POST', 'connection', {
      title: unique('Shared '),
      description: 'Loaded by both',
      fromConnector: { methods: [], operators: [] },
      fieldBinding: [],
    });
    const path = `connection/${connectionId}`;
    const [a, b] = [await first.read('GET', path), await second.read('GET', path)];
    await first.read('PUT', path, { ...a, description: 'Of the first' });
    await second.read('PUT', path, { ...b, description: 'Of the second' });

    const versions = (await client5x(service).read('GET', `${path}/versions`)) as {
      snapshotId: string;
      author: string;
      current: boolean;
    }[];
    expect(versions.map(({ author, current }) => [author, current])).toEqual([
      [users[1].email, true],
      [users[0].email, false],
      [expect.any(String), false],
    ]);
    const overwritten = await of(service).read('GET', `${path}/version/${versions[1].snapshotId}`);
    expect(overwritten.description).toBe('Of the first');

    const { auditEvents } = await service.data(
      `query ($id: String!) {
        auditEvents(filter: { targetType: { eq: WORKFLOW }, targetId: { eq: $id } }, first: 1) {
          nodes { before after actor { email } }
        }
      }`,
      { id: `${connectionId}` },
    );
    expect(auditEvents.nodes).toMatchObject([
      {
        actor: { email: users[1].email },
        before: { description: 'Of the first', snapshotId: versions[1].snapshotId },
        after: { description: 'Of the second', snapshotId: versions[0].snapshotId },
      },
    ]);
  });
});
