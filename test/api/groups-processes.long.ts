import fc from 'fast-check';
import type { Domain } from '../../src/domain';
import type { Actor } from '../../src/platform/access/actor';
import { collected } from '../support/collected';
import { ADMIN_EMAIL, unique } from '../support/harness';
import { ORIGIN as origin } from '../support/origin';
import { actorOf, both, outcome, twoProcesses } from '../support/two-processes';
import type { TwoProcesses } from '../support/two-processes';

let processes: TwoProcesses;
let left: Domain;
let right: Domain;
let admin: Actor;
beforeAll(async () => {
  processes = await twoProcesses();
  ({ left, right, admin } = processes);
});
afterAll(() => processes.close());

const newUser = (groupId: number) =>
  left.services.users.create(admin, {
    email: `${unique('two')}@hypha.test`,
    password: 'a good password',
    groupId,
  });
/** What other processes changed is seen after two seconds. */
const later = (): void => processes.clock.forward(2_001);

it('fill an empty store once, with the ids every line knows', async () => {
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
  const told = jest.fn(() => Promise.resolve(true));
  await right.prepare(told);
  expect(told).not.toHaveBeenCalled();
});

it('keep the last administrator when each demotes the other one', async () => {
  for (let round = 0; round < 5; round++) {
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

it('never leave a permission in a group that is gone', async () => {
  const group = await left.services.groups.create(admin, { name: unique('Holder') });
  for (let round = 0; round < 5; round++) {
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

it('never leave a user in a group that is gone', async () => {
  for (let round = 0; round < 5; round++) {
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

it('keep every user in a group and somebody among the administrators, whatever happens at the same time', async () => {
  const step = fc.record({
    side: fc.boolean(),
    what: fc.constantFrom('create', 'move', 'remove', 'drop', 'demote'),
    user: fc.nat(5),
    group: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const groups = await Promise.all(
        [1, 2, 3].map(() => left.services.groups.create(admin, { name: unique('Busy') })),
      );
      const users = await Promise.all(
        [1, 2, 3].flatMap(() => [newUser(1), newUser(groups[0]?.id ?? 2)]),
      );
      later();
      await right.services.directory.fresh();
      const outcomes = await Promise.allSettled(
        steps.map(({ side, what, user, group }) => {
          const { users: people, userDeletion, groups: all } = (side ? left : right).services;
          const [userId, groupId] = [users[user]?.id ?? 0, groups[group]?.id ?? 0];
          switch (what) {
            case 'create':
              return people.create(admin, {
                email: `${unique('busy')}@hypha.test`,
                password: 'a good password',
                groupId,
              });
            case 'move':
              return people.changeGroup(admin, userId, groupId);
            case 'demote':
              return people.changeGroup(admin, 1, groupId);
            case 'remove':
              return userDeletion.remove(admin, userId);
            default:
              return all.remove(admin, groupId);
          }
        }),
      );
      for (const settled of outcomes)
        expect([
          'done',
          'CREATION_ERROR',
          'USER_NOT_EXIST',
          'GROUP_NOT_FOUND',
          'ROLE_IN_USE',
          'LAST_ADMINISTRATOR',
        ]).toContain(outcome(settled));
      later();
      await Promise.all([left.services.directory.load(), right.services.directory.load()]);
      const [everybody, known] = [
        await collected(right.services.userRecords.list()),
        new Set(right.services.groups.list().map(({ id }) => id)),
      ];
      expect(everybody.filter(({ groupId }) => !known.has(groupId))).toEqual([]);
      expect(everybody.some(({ groupId }) => groupId === 1)).toBe(true);
      if (!everybody.some(({ id, groupId }) => id === 1 && groupId === 1))
        await left.services.users.changeGroup(admin, 1, 1);
      await left.services.userDeletion.removeAll(
        admin,
        everybody.map(({ id }) => id).filter((id) => id !== 1),
      );
    }),
    { numRuns: 4 },
  );
});

it("see each other's changes of sessions and rights within five seconds", async () => {
  const group = await left.services.groups.create(admin, {
    name: unique('Seen'),
    components: [{ componentId: 4, permissions: ['READ'] }],
  });
  const { id, email } = await newUser(group.id);
  const { token } = await left.services.login.login({ email, password: 'a good password' }, origin);
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

it('give every user an id and an e-mail of his own', async () => {
  const creations = Array.from({ length: 10 }, (_, index) =>
    (index % 2 === 0 ? left : right).services.users.create(admin, {
      email: `race${index >> 1}@hypha.test`,
      password: 'a good password',
      groupId: 2,
    }),
  );
  const outcomes = (await Promise.allSettled(creations)).map(outcome);
  expect(outcomes.filter((each) => each === 'done')).toHaveLength(5);
  expect(outcomes.filter((each) => each === 'CREATION_ERROR')).toHaveLength(5);
  const ids = (await collected(left.services.userRecords.list())).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('count failed logins together, one record a minute', async () => {
  processes.clock.forward(60_000 - (processes.clock.now().getTime() % 60_000));
  const wrong = (domain: Domain) =>
    domain.services.login.login({ email: 'nobody@hypha.test', password: 'wrong' }, origin);
  await Promise.allSettled([left, right, left, right].map(wrong));
  const nodes = await (
    await right.services.audit.page({ action: 'session.refuse' }, { first: 10 })
  ).nodes;
  expect(nodes).toMatchObject([
    { target: { id: 'unknown' }, after: { address: origin.network, count: 4 } },
  ]);
});
