import { z } from 'zod';
import { firstLineOfInput } from './input';
import { operatorCommand } from './operator-command';
import { print, printTable } from './output';

export interface NewUserInput {
  readonly email: string;
  readonly group: string;
  readonly name?: string;
  readonly surname?: string;
  readonly stdin: boolean;
}

/** `hypha user create`. Returns the exit code. */
export const createUser = ({ stdin, email, group, name, surname }: NewUserInput): Promise<number> =>
  passwordCommand(
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
  passwordCommand(
    'user reset-password',
    'The password was not changed',
    stdin,
    { email },
    ({ id, email: stored, wasLdap, isDisabled }) =>
      `changed: the password of ${String(stored)} (id ${String(id)}); all sessions of the user were ended${
        wasLdap === true
          ? '. The user had a password of the LDAP directory and signs in with this local one now'
          : ''
      }${isDisabled === true ? '. The user is disabled: `hypha user enable` lets them sign in' : ''}`,
  );

const LISTED = z.array(
  z.object({
    id: z.number(),
    email: z.string(),
    group: z.string().nullable(),
    authSource: z.enum(['local', 'ldap']),
    name: z.string().nullable(),
    surname: z.string().nullable(),
    disabledAt: z.coerce.date().nullable(),
    lastLogin: z.coerce.date().nullable(),
  }),
);

/** `hypha user list`. Returns the exit code. */
export const listUsers = (json: boolean): Promise<number> =>
  operatorCommand(
    'user list',
    'The users were not listed',
    () => ({}),
    (result) => {
      const users = LISTED.parse(result.users);
      if (json) print(JSON.stringify(users, null, 2));
      else
        printTable([
          ['id', 'email', 'group', 'source', 'state', 'name', 'last login'],
          ...users.map(({ id, email, group, authSource, name, surname, disabledAt, lastLogin }) => [
            String(id),
            email,
            group ?? '-',
            authSource === 'ldap' ? 'LDAP' : 'local',
            disabledAt === null ? 'enabled' : 'disabled',
            [name, surname].filter(Boolean).join(' ') || '-',
            lastLogin?.toISOString() ?? 'never',
          ]),
        ]);
    },
  );

/** `hypha user disable` and `hypha user enable`. Returns the exit code. */
export const changeUserState = (action: 'disable' | 'enable', email: string): Promise<number> =>
  operatorCommand(
    `user ${action}`,
    `The user was not ${action}d`,
    () => ({ email }),
    ({ id, email: stored, wasDisabled }) => {
      const user = `${String(stored)} (id ${String(id)})`;
      if (wasDisabled === (action === 'disable')) print(`unchanged: ${user} is ${action}d`);
      else if (action === 'enable') print(`enabled: ${user} can sign in again`);
      else
        print(
          `disabled: ${user}; their sessions were ended, and their API tokens and webhooks deleted`,
        );
    },
  );

/** `hypha user reset-2fa`. Returns the exit code. */
export const resetSecondFactor = (email: string): Promise<number> =>
  operatorCommand(
    'user reset-2fa',
    'The second factor was not removed',
    () => ({ email }),
    ({ id, email: stored, before }) =>
      print(
        before === 'OFF'
          ? `unchanged: ${String(stored)} (id ${String(id)}) has no second factor`
          : `removed: the second factor of ${String(stored)} (id ${String(id)})`,
      ),
  );

/** For a command that sets a password, which is generated unless it is read from stdin. */
const passwordCommand = (
  command: string,
  failure: string,
  stdin: boolean,
  input: object,
  describe: (result: Readonly<Record<string, unknown>>) => string,
): Promise<number> =>
  operatorCommand(
    command,
    failure,
    async () => ({ ...input, password: stdin ? await firstLineOfInput('Password') : null }),
    (result) => {
      print(describe(result));
      if (typeof result.password === 'string') print(`password: ${result.password}`);
    },
  );
