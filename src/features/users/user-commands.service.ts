import { z } from 'zod';
import { controlCommand } from '../../platform/control/command';
import type { ControlCommand } from '../../platform/control/command';
import { randomPassword } from '../../platform/text/password-text';
import { NotFound } from '../../platform/errors/errors';
import { fold } from '../../platform/text/fold';
import type { DirectoryService, Group } from '../groups/directory.service';
import type { UserPasswordService } from './user-password.service';
import type { UserStateService } from './user-state.service';
import type { UserRecords } from './user-records';
import type { UserService } from './user.service';

/** Null generates a password. */
const password = z.string().nullable();

/**
 * Operator commands for users, run on the machine of the service. Only generated passwords are
 * returned.
 */
export const createUserCommands = ({
  users,
  passwords,
  states,
  records,
  directory,
}: {
  readonly users: UserService;
  readonly passwords: UserPasswordService;
  readonly states: UserStateService;
  readonly records: UserRecords;
  readonly directory: DirectoryService;
}): readonly ControlCommand[] => [
  controlCommand('user list', z.object({}), async () => ({
    users: await listUsers(records, directory),
  })),

  controlCommand(
    'user create',
    z.object({
      email: z.string(),
      group: z.string(),
      name: z.string().optional(),
      surname: z.string().optional(),
      password,
    }),
    async (actor, input) => {
      const group = await findGroup(directory, input.group);
      const chosen = input.password ?? randomPassword();
      const { id, email } = await users.create(actor, {
        email: input.email,
        password: chosen,
        groupId: group.id,
        detail: { name: input.name, surname: input.surname },
      });
      return { id, email, group: group.name, password: input.password === null ? chosen : null };
    },
    ({ email }) => email,
  ),

  controlCommand(
    'user reset-password',
    z.object({ email: z.string(), password }),
    async (actor, input) => {
      const { id, email, authSource, disabledAt } = await records.getByEmail(input.email);
      const chosen = input.password ?? randomPassword();
      await passwords.change(actor, id, chosen, undefined, { makesLocal: true });
      const wasLdap = authSource === 'ldap';
      const isDisabled = disabledAt !== null;
      return { id, email, wasLdap, isDisabled, password: input.password === null ? chosen : null };
    },
    ({ email }) => email,
  ),

  ...stateCommands(states, records),
];

async function listUsers(records: UserRecords, directory: DirectoryService): Promise<object[]> {
  const { groups } = await directory.fresh();
  const listed: object[] = [];
  for await (const { id, email, groupId, authSource, detail, ...user } of records.list()) {
    const { name, surname } = detail;
    const { disabledAt, lastLogin } = user;
    const group = groups.get(groupId)?.name ?? null;
    listed.push({ id, email, group, authSource, name, surname, disabledAt, lastLogin });
  }
  return listed;
}

/** `user disable` and `user enable`. */
const stateCommands = (states: UserStateService, records: UserRecords): ControlCommand[] =>
  (['disable', 'enable'] as const).map((action) =>
    controlCommand(
      `user ${action}`,
      z.object({ email: z.string() }),
      async (actor, input) => {
        const { id, disabledAt } = await records.getByEmail(input.email);
        const wasDisabled = disabledAt !== null;
        const { email } = await states[action](actor, id);
        return { id, email, wasDisabled };
      },
      ({ email }) => email,
    ),
  );

/** @throws NotFound GROUP_NOT_FOUND, with the names of all groups */
async function findGroup(directory: DirectoryService, name: string): Promise<Group> {
  const groups = [...(await directory.fresh()).groups.values()];
  const match =
    groups.find((group) => group.name === name) ??
    groups.find((group) => fold(group.name) === fold(name));
  if (match) return match;
  const names = groups.map((group) => group.name).join(', ');
  throw new NotFound('GROUP_NOT_FOUND', `There is no group of this name. There are: ${names}.`);
}
