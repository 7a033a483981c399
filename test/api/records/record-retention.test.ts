import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { testProcesses } from '../../support/service/two-processes';
import { ADMIN_EMAIL, ADMIN_PASSWORD, unique } from '../../support/service/harness';
import { ORIGIN } from '../../support/service/origin';
import { signIn } from '../../support/service/sign-in';

/* The hourly task of the service is called directly. */

const DAY_MS = 24 * 3_600_000;

const processes = testProcesses({
  env: {
    HYPHA_AUDIT_RETENTION: '100',
    HYPHA_TOKEN_EXPIRATION_TIME: String(365 * 86_400),
    HYPHA_TOKEN_ACTIVITY_TIME: '3600',
  },
});

const count = (collection: string): Promise<number> =>
  storeConnection().collection(collection).countDocuments();
const newGroup = async (): Promise<void> =>
  void (await processes.left.services.groups.create(processes.admin, { name: unique('kept') }));
const page = async (): Promise<string[]> => {
  const { nodes } = await processes.right.services.audit.page({}, { first: 100 });
  return (await nodes).map(({ action }) => action);
};

describe('recorded changes', () => {
  longIt('are removed in batches after the retention period by either process', async () => {
    const at = processes.clock.now();
    const [example] = await storeConnection().collection<any>('audit_events').find().toArray();
    const before = await count('audit_events');
    await storeConnection()
      .collection<any>('audit_events')
      .insertMany(
        Array.from({ length: 1_000 }, (_, nth) => ({
          ...example,
          _id: 1_000_000 + nth,
          at: new Date(at.getTime() + nth * 1_000),
        })),
      );
    processes.clock.forward(100 * DAY_MS - 1);
    expect(await processes.left.services.audit.removeOld()).toBe(0);
    processes.clock.forward(1 + 499_500);
    await newGroup();
    const removed = await Promise.all(
      [processes.left, processes.right].map(({ services }) => services.audit.removeOld()),
    );
    expect(removed.reduce((sum, each) => sum + each, 0)).toBe(before + 500);
    expect(await count('audit_events')).toBe(1_000 - 500 + 1);
    expect((await page())[0]).toBe('group.create');
    processes.clock.forward(DAY_MS);
    await processes.left.services.audit.removeOld();
    expect(await page()).toEqual(['group.create']);
  });

  it('of the first login of the administrator are not needed later', async () => {
    await storeConnection().collection('audit_events').deleteMany({});
    await storeConnection()
      .collection<any>('first_administrators')
      .updateOne({ _id: 'first' }, { $set: { toldAt: null } });
    const notify = jest.fn(() => Promise.resolve(true));
    await processes.right.prepare(notify);
    expect(notify).not.toHaveBeenCalled();
    await expect(
      processes.left.services.login.login({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }, ORIGIN),
    ).resolves.toMatchObject({ token: expect.any(String) });
  });
});

describe('session retention', () => {
  it('removes ended sessions a day after their last use and keeps valid and idle ones', async () => {
    const { services } = processes.left;
    await storeConnection().collection('sessions').deleteMany({});
    const open = (): Promise<string> => signIn(services, ADMIN_EMAIL, ADMIN_PASSWORD, ORIGIN);
    const [ended, idle] = [await open(), await open()];
    const stateOf = async (token: string): Promise<string> =>
      (await processes.right.authenticate(token, ORIGIN)).state;
    const authentication = await processes.left.authenticate(ended, ORIGIN);
    if (authentication.state !== 'signed-in') throw new Error(authentication.state);
    await services.sessions.logout(authentication.actor);
    processes.clock.forward(DAY_MS - 1);
    const good = await open();
    expect([
      await services.sessions.removeOld(),
      await stateOf(ended),
      await stateOf(idle),
      await stateOf(good),
    ]).toEqual([0, 'rejected', 'expired', 'signed-in']);
    processes.clock.forward(1);
    expect([
      await services.sessions.removeOld(),
      await stateOf(ended),
      await stateOf(idle),
      await stateOf(good),
    ]).toEqual([1, 'rejected', 'expired', 'signed-in']);
    expect(await count('sessions')).toBe(2);
  });
});
