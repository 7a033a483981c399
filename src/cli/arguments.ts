import { Command, CommanderError } from 'commander';
import { USER_GROUP } from '../platform/access/catalogue';
import { VERSION } from '../platform/version';
import { withHelpAsFlag } from './asked-help';
import type { NewUserAsked } from './user-commands';
import { EXIT, EXIT_CODES } from '../platform/exit-codes';
import { refuse, tell } from './output';

/** The parsed command line. */
export type Asked =
  | { readonly command: 'start' }
  | { readonly command: 'backup'; readonly directory: string }
  | { readonly command: 'user list'; readonly json: boolean }
  | ({ readonly command: 'user create' } & NewUserAsked)
  | { readonly command: 'user reset-password'; readonly email: string; readonly stdin: boolean }
  | { readonly command: 'doctor' | 'config check' | 'config show'; readonly json: boolean };

/** A command, or the exit code if output was already printed: help, the version, or an error. */
export type Parsed = { readonly asked: Asked } | { readonly exit: number };

/**
 * Error messages are cut to this length, and control characters are replaced: they could move the
 * cursor.
 */
const LONGEST_MESSAGE = 600;
const readable = (message: string): string => {
  const cut =
    message.length > LONGEST_MESSAGE
      ? `${message.slice(0, LONGEST_MESSAGE).toWellFormed()}…\n`
      : message;
  return cut.replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');
};

/**
 * Parses the arguments after the program name without running anything. Unknown arguments are
 * errors.
 */
export function parseArguments(given: readonly string[]): Parsed {
  let asked: Asked | undefined;
  const program = commandLine((found) => {
    asked = found;
  });
  try {
    program.parse([...withHelpAsFlag(program, given)], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { exit: error.exitCode === 0 ? EXIT.success : EXIT.wrongUse };
  }
  return asked === undefined ? { exit: EXIT.wrongUse } : { asked };
}

/** For the service program: returns the exit code for anything but a start, else null. */
export function refusalToStart(given: readonly string[]): number | null {
  const parsed = parseArguments(given);
  if ('exit' in parsed) return parsed.exit;
  return parsed.asked.command === 'start'
    ? null
    : refuse(
        EXIT.wrongUse,
        `This program is the service and only starts. Run \`hypha ${parsed.asked.command}\` instead.`,
      );
}

function commandLine(choose: (asked: Asked) => void): Command {
  const program = command(
    new Command('hypha'),
    'The service Hypha, and what an operator does with it.',
  )
    .version(VERSION, '-v, --version', 'the version of Hypha')
    .helpCommand('help [command]', 'what a command does and takes')
    .addHelpText('after', `\n${EXIT_TEXT}`);
  const sub = (parent: Command, name: string, description: string): Command =>
    command(parent.command(name), description);

  sub(program, 'start', 'Starts the service and stays until it is stopped.').action(() =>
    choose({ command: 'start' }),
  );

  sub(
    program,
    'backup',
    'Copies the data of the service, which may be running, into a new directory.',
  )
    .argument('<directory>', 'a new or empty directory')
    .action((directory: string) => choose({ command: 'backup', directory }));

  sub(
    program,
    'doctor',
    'Says what is wrong or odd with configuration, data directory, store and port; exit code 1 when something is wrong. Changes nothing.',
  )
    .option('--json', 'for programs')
    .action(({ json = false }: { json?: boolean }) => choose({ command: 'doctor', json }));

  const user = sub(program, 'user', 'Users, while the service runs or when it is stopped.');
  sub(user, 'list', 'Lists all users, by id.')
    .option('--json', 'for programs')
    .action(({ json = false }: { json?: boolean }) => choose({ command: 'user list', json }));
  sub(user, 'create', 'Creates a user. Prints a generated password, or takes one from stdin.')
    .argument('<email>', 'what the user signs in with')
    .option('--group <name>', 'the group of the user', USER_GROUP)
    .option('--name <name>', 'the first name')
    .option('--surname <name>', 'the family name')
    .option('--stdin', 'the password is the first line of stdin')
    .action(
      (
        email: string,
        { stdin = false, ...options }: Omit<NewUserAsked, 'email' | 'stdin'> & { stdin?: boolean },
      ) => choose({ command: 'user create', email, stdin, ...options }),
    );
  sub(
    user,
    'reset-password',
    'Gives a user a new password and ends their sessions. Prints a generated one, or takes one from stdin.',
  )
    .argument('<email>', 'what the user signs in with')
    .option('--stdin', 'the password is the first line of stdin')
    .action((email: string, { stdin = false }: { stdin?: boolean }) =>
      choose({ command: 'user reset-password', email, stdin }),
    );

  const config = sub(program, 'config', 'Looks at the configuration.');
  for (const [name, description] of [
    [
      'check',
      'Says what is wrong or odd with the configuration; exit code 1 when the service would not start with it.',
    ],
    ['show', 'Shows every setting, its value and where it comes from. Secrets are masked.'],
  ] as const) {
    sub(config, name, description)
      .option('--json', 'for programs')
      .action(({ json = false }: { json?: boolean }) =>
        choose({ command: `config ${name}`, json }),
      );
  }
  return program;
}

const EXIT_TEXT = [
  'Exit codes:',
  ...Object.values(EXIT_CODES).map(
    ({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning.replaceAll('`', '')}`,
  ),
  '',
  'Results go to stdout, messages to stderr.',
].join('\n');

/** Settings that all commands share. */
function command(command: Command, description: string): Command {
  return command
    .description(description)
    .helpOption('-h, --help', 'this text')
    .allowExcessArguments(false)
    .showSuggestionAfterError()
    .showHelpAfterError(`Run \`${pathOf(command)} --help\` for what there is.`)
    .exitOverride()
    .configureOutput({ outputError: (message) => tell(readable(message).trimEnd()) });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
