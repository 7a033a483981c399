import { z } from 'zod';
import { controlCommand } from '../../platform/control/command';
import type { ControlCommand } from '../../platform/control/command';
import { randomPassword } from '../../platform/crypto/password-text';
import { NotFound } from '../../platform/errors/errors';
import { fold } from '../../platform/text/fold';
import type { DirectoryService, Group } from '../groups/directory.service';
import type { UserPasswordService } from './user-password.service';
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
  records,
  directory,
}: {
  readonly users: UserService;
  readonly passwords: UserPasswordService;
  readonly records: UserRecords;
  readonly directory: DirectoryService;
}): readonly ControlCommand[] => [
  controlCommand('user list', z.object({}), async () => {
    const { groups } = await directory.fresh();
    const listed: object[] = [];
    for await (const { id, email, groupId, authSource, detail, lastLogin } of records.list()) {
      const { name, surname } = detail;
      const group = groups.get(groupId)?.name ?? null;
      listed.push({ id, email, group, authSource, name, surname, lastLogin });
    }
    return { users: listed };
  }),

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
      const { id, email, authSource } = await records.getByEmail(input.email);
      const chosen = input.password ?? randomPassword();
      await passwords.change(actor, id, chosen, undefined, { makesLocal: true });
      const wasLdap = authSource === 'ldap';
      return { id, email, wasLdap, password: input.password === null ? chosen : null };
    },
    ({ email }) => email,
  ),
];

/** @throws NotFound GROUP_NOT_FOUND, with the names of all groups */
async function findGroup(directory: DirectoryService, name: string): Promise<Group> {
  const groups = [...(await directory.fresh()).groups.values()];
  const found =
    groups.find((group) => group.name === name) ??
    groups.find((group) => fold(group.name) === fold(name));
  if (found) return found;
  const names = groups.map((group) => group.name).join(', ');
  throw new NotFound('GROUP_NOT_FOUND', `There is no group of this name. There are: ${names}.`);
}
