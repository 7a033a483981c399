import { z } from 'zod';
import { controlCommand } from '../../platform/control/command';
import type { ControlCommand } from '../../platform/control/command';
import { randomPassword } from '../../platform/crypto/password-text';
import { NotFound } from '../../platform/errors/errors';
import { fold } from '../../platform/text/fold';
import type { DirectoryService, Group } from '../groups/directory.service';
import type { UserService } from './user.service';

export interface UserCommandDependencies {
  readonly users: UserService;
  readonly directory: DirectoryService;
}

/** Null generates a password. */
const password = z.string().nullable();

/**
 * Operator commands for users, run on the machine of the service. Only generated passwords are
 * returned.
 */
export function createUserCommands({
  users,
  directory,
}: UserCommandDependencies): readonly ControlCommand[] {
  const groupNamed = async (name: string): Promise<Group> => {
    const groups = [...(await directory.fresh()).groups.values()];
    const found =
      groups.find((group) => group.name === name) ??
      groups.find((group) => fold(group.name) === fold(name));
    if (!found)
      throw new NotFound(
        'GROUP_NOT_FOUND',
        `There is no group of this name. There are: ${groups.map((group) => group.name).join(', ')}.`,
      );
    return found;
  };

  return [
    controlCommand('user list', z.object({}), async () => {
      const { groups } = await directory.fresh();
      const listed: object[] = [];
      for await (const { id, email, groupId, detail, lastLogin } of users.list()) {
        listed.push({
          id,
          email,
          group: groups.get(groupId)?.name ?? null,
          name: detail.name,
          surname: detail.surname,
          lastLogin,
        });
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
        const group = await groupNamed(input.group);
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
        const user = await users.getByEmail(input.email);
        const chosen = input.password ?? randomPassword();
        await users.changePassword(actor, user.id, chosen);
        return {
          id: user.id,
          email: user.email,
          password: input.password === null ? chosen : null,
        };
      },
      ({ email }) => email,
    ),
  ];
}
