import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { sub } from './command';
import type { NewTokenInput } from './token-commands';
import type { NewUserInput } from './user-commands';
import { USER_GROUP } from '../platform/access/catalogue';

/** A command for users, their API tokens, or their directory. */
export type AccountCommand =
  | { readonly command: 'user list'; readonly json: boolean }
  | ({ readonly command: 'user create' } & NewUserInput)
  | { readonly command: 'ldap test'; readonly email: string }
  | { readonly command: `user ${keyof typeof USER_CHANGES}`; readonly email: string }
  | { readonly command: 'token list'; readonly json: boolean }
  | ({ readonly command: 'token create' } & NewTokenInput)
  | { readonly command: 'token revoke'; readonly id: number }
  | { readonly command: 'user reset-password'; readonly email: string; readonly stdin: boolean };

const USER_CHANGES = {
  'reset-2fa': 'Removes the second factor of a user, such as of a lost telephone.',
  disable: 'Refuses every login of a user, ends their sessions and deletes their API tokens.',
  enable: 'Lets a disabled user sign in again.',
} as const;

export function addUserCommands(program: Command, choose: (command: AccountCommand) => void): void {
  const user = sub(program, 'user', 'Manages users of the running or stopped service.');
  sub(user, 'list', 'Lists all users by id.')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => choose({ command: 'user list', json }));
  sub(user, 'create', 'Creates a user. Prints a generated password, or reads one from stdin.')
    .argument('<email>', 'e-mail address of the user')
    .option('--group <name>', 'the group of the user', USER_GROUP)
    .option('--name <name>', 'the first name')
    .option('--surname <name>', 'the family name')
    .option('--stdin', 'read the password from the first line of stdin')
    .action(
      (
        email: string,
        { stdin = false, ...options }: Omit<NewUserInput, 'email' | 'stdin'> & { stdin?: boolean },
      ) => choose({ command: 'user create', email, stdin, ...options }),
    );
  sub(
    user,
    'reset-password',
    'Sets a new password for a user and ends their sessions. Prints a generated password, or reads one from stdin.',
  )
    .argument('<email>', 'e-mail address of the user')
    .option('--stdin', 'read the password from the first line of stdin')
    .action((email: string, { stdin = false }: { stdin?: boolean }) =>
      choose({ command: 'user reset-password', email, stdin }),
    );
  for (const [name, description] of Object.entries(USER_CHANGES))
    sub(user, name, description)
      .argument('<email>', 'e-mail address of the user')
      .action((email: string) =>
        choose({ command: `user ${name as keyof typeof USER_CHANGES}`, email }),
      );
}

/** A positive whole number. */
function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

export function addTokenCommands(
  program: Command,
  choose: (command: AccountCommand) => void,
): void {
  const token = sub(program, 'token', 'Manages API tokens of the running or stopped service.');
  sub(token, 'list', 'Lists the API tokens of all users by id.')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => choose({ command: 'token list', json }));
  sub(token, 'create', 'Creates an API token for a user and prints it.')
    .argument('<email>', 'e-mail address of the user')
    .argument('<name>', 'what the token is for')
    .argument('<scopes...>', 'component:action such as CONNECTION:READ, or admin')
    .option('--days <number>', 'days until the token expires (default: 90)', wholeNumber)
    .action((email: string, name: string, scopes: string[], { days }: { days?: number }) =>
      choose({ command: 'token create', email, name, scopes, days }),
    );
  sub(token, 'revoke', 'Revokes an API token.')
    .argument('<id>', 'id of the token', wholeNumber)
    .action((id: number) => choose({ command: 'token revoke', id }));
}

export function addLdapCommands(program: Command, choose: (command: AccountCommand) => void): void {
  const ldap = sub(program, 'ldap', 'Tests the connection to the LDAP directory.');
  sub(
    ldap,
    'test',
    'Looks up a user and their groups, and prints the result of each stage. Needs no password of the user. Exits with 1 if a stage fails.',
  )
    .argument('<email>', 'what the user enters as e-mail')
    .action((email: string) => choose({ command: 'ldap test', email }));
}
