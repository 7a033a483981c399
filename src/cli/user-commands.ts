import { z } from 'zod';
import { operate } from './operate';
import { firstLineOfInput } from './input';
import { messageOf, print, printTable, refuse } from './output';
import { ConfigError, loadProcessConfig } from '../config/load';
import { EXIT } from '../platform/exit-codes';

export interface NewUserInput {
  readonly email: string;
  readonly group: string;
  readonly name?: string;
  readonly surname?: string;
  readonly stdin: boolean;
}

/** `hypha user create`. Returns the exit code. */
export const createUser = ({ stdin, email, group, name, surname }: NewUserInput): Promise<number> =>
  userCommand(
    'user create',
    'The user was not created',
    stdin,
    { email, group, name, surname },
    (made) => `created: ${String(made.email)} (id ${String(made.id)}, group ${String(made.group)})`,
  );

/** `hypha user reset-password`. Returns the exit code. */
export const resetPassword = ({
  email,
  stdin,
}: {
  readonly email: string;
  readonly stdin: boolean;
}): Promise<number> =>
  userCommand(
    'user reset-password',
    'The password was not changed',
    stdin,
    { email },
    ({ id, email: stored, wasLdap }) =>
      `changed: the password of ${String(stored)} (id ${String(id)}); all sessions of the user were ended${
        wasLdap === true
          ? '. The user had a password of the LDAP directory and signs in with this local one now'
          : ''
      }`,
  );

const LISTED = z.array(
  z.object({
    id: z.number(),
    email: z.string(),
    group: z.string().nullable(),
    authSource: z.enum(['local', 'ldap']),
    name: z.string().nullable(),
    surname: z.string().nullable(),
    lastLogin: z.coerce.date().nullable(),
  }),
);

/** `hypha user list`. Returns the exit code. */
export async function listUsers(json: boolean): Promise<number> {
  const failure = 'The users were not listed';
  try {
    const { config } = loadProcessConfig();
    const answer = await operate(config, 'user list', {});
    if (!answer.done) return refuse(EXIT.failed, `${failure}: ${answer.message}`);
    const users = LISTED.parse(answer.result.users);
    if (json) print(JSON.stringify(users, null, 2));
    else
      printTable([
        ['id', 'email', 'group', 'source', 'name', 'last login'],
        ...users.map(({ id, email, group, authSource, name, surname, lastLogin }) => [
          String(id),
          email,
          group ?? '-',
          authSource === 'ldap' ? 'LDAP' : 'local',
          [name, surname].filter(Boolean).join(' ') || '-',
          lastLogin?.toISOString() ?? 'never',
        ]),
      ]);
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `${failure}: ${messageOf(error)}`);
  }
}

async function userCommand(
  command: string,
  failure: string,
  stdin: boolean,
  input: object,
  describe: (result: Readonly<Record<string, unknown>>) => string,
): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    const answer = await operate(config, command, {
      ...input,
      password: stdin ? await firstLineOfInput('Password') : null,
    });
    if (!answer.done)
      return refuse(
        EXIT.failed,
        [`${failure}: ${answer.message}`, ...answer.problems.map((problem) => `  ${problem}`)].join(
          '\n',
        ),
      );
    print(describe(answer.result));
    if (typeof answer.result.password === 'string') print(`password: ${answer.result.password}`);
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `${failure}: ${messageOf(error)}`);
  }
}
