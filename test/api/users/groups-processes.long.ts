import type { Domain } from '../../../src/domain';
import { systemActor } from '../../../src/platform/access/actor';
import type { Actor } from '../../../src/platform/access/actor';
import { ADMIN_GROUP } from '../../../src/platform/access/catalogue';
import { collected } from '../../support/store/collected';
import { ADMIN_EMAIL, unique } from '../../support/service/harness';
import { ORIGIN as origin } from '../../support/service/origin';
import { actorOf, both, settledOutcome, testProcesses } from '../../support/service/two-processes';
import { signIn } from '../../support/service/sign-in';

const processes = testProcesses();
let left: Domain;
let right: Domain;
let admin: Actor;
beforeAll(async () => {
  ({ left, right, admin } = processes);
});

const newUser = (groupId: number) =>
  left.services.users.create(admin, {
    email: `${unique('two')}@hypha.test`,
    password: 'a good password',
    groupId,
  });
/** Changes of other processes become visible after two seconds. */
const later = (): void => processes.clock.forward(2_001);

it('two processes fill an empty store only once', async () => {
  const users = await collected(right.services.userRecords.list());
  expect(users.map(({ id, email }) => [id, email])).toEqual([[1, ADMIN_EMAIL]]);
  expect(right.services.groups.list().map(({ id, name }) => [id, name])).toEqual([
    [1, 'Admin'],
    [2, 'User'],
  ]);
  expect(right.services.permissions.list().map(({ id, name }) => [id, name])).toEqual([
    [1, 'CREATE'],
    [2, 'UPDATE'],
    [3, 'DELETE'],
    [4, 'READ'],
  ]);
  const onPrepared = jest.fn(() => Promise.resolve(true));
  await right.prepare(onPrepared);
  expect(onPrepared).not.toHaveBeenCalled();
});

it('two processes keep an enabled administrator when each disables the other', async () => {
  for (let round = 0; round < 3; round++) {
    const other = await newUser(1);
    // Operators: administrators could not disable themselves.
    const operator: Actor = { ...systemActor('two processes'), groupName: ADMIN_GROUP };
    const results = await both(
      left.services.userStates.disable(operator, 1),
      right.services.userStates.disable(operator, other.id),
    );
    expect([
      ['done', 'LAST_ADMINISTRATOR'],
      ['LAST_ADMINISTRATOR', 'done'],
    ]).toContainEqual(results);
    await right.services.userStates.enable(operator, 1);
    await left.services.userDeletion.remove(admin, other.id);
  }
});

it('a process refuses a user at once whom the other one disabled two seconds ago', async () => {
  const { id, email } = await newUser(2);
  const token = await signIn(left.services, email, 'a good password', origin);
  later();
  expect((await right.authenticate(token, origin)).state).toBe('signed-in');
  await left.services.userStates.disable(admin, id);
  later();
  expect((await right.authenticate(token, origin)).state).toBe('rejected');
});

it('two processes keep the last administrator when each demotes the other', async () => {
  for (let round = 0; round < 3; round++) {
    const other = await newUser(1);
    const results = await both(
      left.services.users.changeGroup(admin, 1, 2),
      right.services.users.changeGroup(admin, other.id, 2),
    );
    expect([
      ['done', 'LAST_ADMINISTRATOR'],
      ['LAST_ADMINISTRATOR', 'done'],
    ]).toContainEqual(results);
    if (results[0] === 'done') await right.services.users.changeGroup(admin, 1, 1);
    else await right.services.users.changeGroup(admin, other.id, 2);
    const administrators = (await collected(left.services.userRecords.list())).filter(
      ({ groupId }) => groupId === 1,
    );
    for (const { id } of administrators)
      if (id !== 1) await left.services.userDeletion.remove(admin, id);
  }
});

it('a permission is never removed while a group is granted it in another process', async () => {
  const group = await left.services.groups.create(admin, { name: unique('Holder') });
  for (let round = 0; round < 3; round++) {
    const { id, name } = await left.services.permissions.create(admin, { name: unique('DO') });
    later();
    await right.services.directory.fresh();
    const results = await both(
      left.services.groups.update(admin, group.id, {
        components: [{ componentId: 1, permissions: [name] }],
      }),
      right.services.permissions.remove(admin, id),
    );
    expect([
      ['done', 'USERGROUP_NOT_DELETED'],
      ['PERMISSION_NOT_FOUND', 'done'],
    ]).toContainEqual(results);
  }
});

it('a group is never removed while a user joins it in another process', async () => {
  for (let round = 0; round < 3; round++) {
    const group = await right.services.groups.create(admin, { name: unique('Short-lived') });
    later();
    await left.services.directory.fresh();
    const results = await both(newUser(group.id), right.services.groups.remove(admin, group.id));
    expect([
      ['done', 'ROLE_IN_USE'],
      ['CREATION_ERROR', 'done'],
    ]).toContainEqual(results);
  }
});

it('a process sees session and permission changes of the other one within five seconds', async () => {
  const group = await left.services.groups.create(admin, {
    name: unique('Seen'),
    components: [{ componentId: 4, permissions: ['READ'] }],
  });
  const { id, email } = await newUser(group.id);
  const token = await signIn(left.services, email, 'a good password', origin);
  later();
  expect([...(await actorOf(right, token)).grants]).toEqual(['USER:READ']);
  await left.services.groups.update(admin, group.id, { components: [] });
  later();
  expect([...(await actorOf(right, token)).grants]).toEqual([]);
  await left.services.users.changeGroup(admin, id, 1);
  later();
  expect((await actorOf(right, token)).groupName).toBe('Admin');
  await left.services.sessions.endAllOf(admin, id);
  later();
  expect((await right.authenticate(token, origin)).state).toBe('rejected');
});

it('two processes give every user a unique id and e-mail', async () => {
  const creations = Array.from({ length: 10 }, (_, index) =>
    (index % 2 === 0 ? left : right).services.users.create(admin, {
      email: `race${index >> 1}@hypha.test`,
      password: 'a good password',
      groupId: 2,
    }),
  );
  const outcomes = (await Promise.allSettled(creations)).map(settledOutcome);
  expect(outcomes.filter((each) => each === 'done')).toHaveLength(5);
  expect(outcomes.filter((each) => each === 'CREATION_ERROR')).toHaveLength(5);
  const ids = (await collected(left.services.userRecords.list())).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('two processes count failed logins together in one audit event a minute', async () => {
  processes.clock.forward(60_000 - (processes.clock.now().getTime() % 60_000));
  const wrong = (domain: Domain) =>
    domain.services.login.login({ email: 'unknown@hypha.test', password: 'wrong' }, origin);
  await Promise.allSettled([left, right, left, right].map(wrong));
  const nodes = await (
    await right.services.audit.page({ action: 'session.refuse' }, { first: 10 })
  ).nodes;
  expect(nodes).toMatchObject([
    { target: { id: 'unknown' }, after: { address: origin.network, count: 4 } },
  ]);
});
