import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { addLdapCommands, addTokenCommands, addUserCommands } from './account-arguments';
import type { AccountCommand } from './account-arguments';
import { command, sub } from './command';
import type { FilesMoveInput } from './files-commands';
import { withHelpAsFlag } from './help-flag';
import type { ReleasedImportInput } from './import-released';
import type { ImportInput } from './moving-commands';
import type { SyncInput } from './online-commands';
import { refuse } from './output';
import { EXIT, EXIT_CODES } from '../platform/exit-codes';
import { VERSION } from '../platform/version';

/** The parsed command line. */
export type Invocation =
  | { readonly command: 'start' }
  | { readonly command: 'backup'; readonly directory: string }
  | { readonly command: 'restore'; readonly directory: string; readonly replace: boolean }
  | { readonly command: 'export'; readonly file: string; readonly passphrase: boolean }
  | ({ readonly command: 'import' } & ImportInput)
  | ({ readonly command: 'import-released' } & ReleasedImportInput)
  | ({ readonly command: 'files move' } & FilesMoveInput)
  | ({ readonly command: 'online-services sync' } & SyncInput)
  | AccountCommand
  | { readonly command: 'secrets rekey'; readonly keyFile: boolean }
  | {
      readonly command: 'doctor';
      readonly json: boolean;
      readonly running: boolean;
      readonly client?: string;
    }
  | { readonly command: 'config check' | 'config show' | 'processes'; readonly json: boolean };

/** A command, or the exit code if output was already printed: help, the version, or an error. */
export type Parsed = { readonly invocation: Invocation } | { readonly exit: number };

/**
 * Parses the arguments after the program name without running anything. Unknown arguments are
 * errors.
 */
export function parseArguments(args: readonly string[]): Parsed {
  let invocation: Invocation | undefined;
  const program = commandLine((choice) => {
    invocation = choice;
  });
  try {
    program.parse([...withHelpAsFlag(program, args)], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { exit: error.exitCode === 0 ? EXIT.success : EXIT.wrongUse };
  }
  return invocation === undefined ? { exit: EXIT.wrongUse } : { invocation };
}

/** For the service program: returns the exit code for anything but a start, else null. */
export function refusalToStart(args: readonly string[]): number | null {
  const parsed = parseArguments(args);
  if ('exit' in parsed) return parsed.exit;
  return parsed.invocation.command === 'start'
    ? null
    : refuse(
        EXIT.wrongUse,
        `This program only starts the service. Run \`hypha ${parsed.invocation.command}\` instead.`,
      );
}

function commandLine(choose: (invocation: Invocation) => void): Command {
  const program = command(new Command('hypha'), 'The Hypha service and its operator commands.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpCommand('help [command]', 'describe a command')
    .addHelpText('after', `\n${EXIT_TEXT}`);

  sub(program, 'start', 'Starts the service. Runs until it is stopped.').action(() =>
    choose({ command: 'start' }),
  );

  sub(program, 'backup', 'Copies the data of the running or stopped service to a new directory.')
    .argument('<directory>', 'a new or empty directory')
    .action((directory: string) => choose({ command: 'backup', directory }));

  sub(program, 'restore', 'Puts a backup in place of the data directory of a stopped service.')
    .argument('<directory>', 'a directory that `hypha backup` created')
    .option('--replace', 'keep existing data as DATA_DIR.before-restore-TIME')
    .action((directory: string, { replace = false }: { replace?: boolean }) =>
      choose({ command: 'restore', directory, replace }),
    );

  addMovingCommands(program, choose);
  addFilesCommands(program, choose);

  sub(
    program,
    'doctor',
    'Checks configuration, data directory, store and port. Exits with 1 if there are errors. Changes nothing.',
  )
    .option('--json', 'print JSON')
    .option('--running', 'also run the system check of the running service')
    .option(
      '--client <url>',
      'also check whether the released web client at this address works with the service',
      webAddress,
    )
    .action(
      ({
        json = false,
        running = false,
        client,
      }: {
        json?: boolean;
        running?: boolean;
        client?: string;
      }) => choose({ command: 'doctor', json, running, ...(client !== undefined && { client }) }),
    );

  sub(
    program,
    'processes',
    'Lists the processes that share the store, with their state and the number of their runs. Dead ones are listed for a day.',
  )
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => choose({ command: 'processes', json }));

  addUserCommands(program, choose);
  addTokenCommands(program, choose);
  addLdapCommands(program, choose);
  addOnlineCommands(program, choose);
  addSecretsCommands(program, choose);
  addConfigCommands(program, choose);
  return program;
}

function addMovingCommands(program: Command, choose: (invocation: Invocation) => void): void {
  const passphrase = 'first line of stdin: the passphrase of the archive';
  sub(
    program,
    'export',
    'Writes the whole instance to an archive, from the running or stopped service. Without --passphrase, the archive has no secret values.',
  )
    .argument('<file>', 'a new file')
    .option('--passphrase', `include secrets, and encrypt the archive; ${passphrase}`)
    .action((file: string, { passphrase: isSealed = false }: { passphrase?: boolean }) =>
      choose({ command: 'export', file, passphrase: isSealed }),
    );
  sub(
    program,
    'import',
    'Fills the store of a stopped service with an archive that `hypha export` wrote. Can be repeated if it was interrupted.',
  )
    .argument('<file>', 'the archive')
    .option('--passphrase', passphrase)
    .option('--replace', 'remove existing data')
    .action((file: string, options: { passphrase?: boolean; replace?: boolean }) =>
      choose({ command: 'import', file, passphrase: false, replace: false, ...options }),
    );
  sub(
    program,
    'import-released',
    'Fills a new, stopped service with the data of a released installation: a folder of JSON files. Imports everything or nothing.',
  )
    .argument('<folder>', 'the folder, see docs/import-released.md')
    .option('--dry-run', 'list what comes over and what does not; change nothing')
    .option('--json', 'print JSON')
    .option('--product <name>', 'prefix of the settings of the released installation')
    .addOption(
      new Option(
        '--key-file <file>',
        'first line of the file: its connector.security.key (default: that of the released line)',
      ).conflicts('keyStdin'),
    )
    .option('--key-stdin', 'first line of stdin: its connector.security.key')
    .action((folder: string, options: Partial<ReleasedImportInput>) =>
      choose({
        command: 'import-released',
        folder,
        dryRun: false,
        json: false,
        keyStdin: false,
        ...options,
      }),
    );
}

function addFilesCommands(program: Command, choose: (invocation: Invocation) => void): void {
  const place = 'database, folder (in the data directory) or folder:PATH';
  sub(
    sub(program, 'files', 'Manages pictures and icons.'),
    'move',
    'Moves pictures and icons to the database or a folder, and prints what was done. Works with a running or stopped service, and can be repeated if it was interrupted.',
  )
    .requiredOption('--to <place>', place)
    .option('--from <place>', 'only from this place (default: all that the service reads)')
    .action((options: FilesMoveInput) => choose({ command: 'files move', ...options }));
}

function webAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It is not an http or https address.');
  return text;
}

function addOnlineCommands(program: Command, choose: (invocation: Invocation) => void): void {
  const help =
    'Adds and updates invokers or templates of the portal, and prints what was done. Local changes are kept. Works with a running or stopped service. Exits with 1 if an item failed.';
  sub(sub(program, 'online-services', 'Synchronises with the portal.'), 'sync', help)
    .addArgument(new Argument('<kind>').choices(['invokers', 'templates']))
    .option('--dry-run', 'only print what would be done')
    .action((kind: SyncInput['kind'], { dryRun = false }: { dryRun?: boolean }) =>
      choose({ command: 'online-services sync', kind, isDryRun: dryRun }),
    );
}

function addSecretsCommands(program: Command, choose: (invocation: Invocation) => void): void {
  const secrets = sub(program, 'secrets', 'Manages the key that encrypts stored secrets.');
  sub(
    secrets,
    'rekey',
    'Encrypts all credentials and secrets with a new master password, read from the first line of stdin. Works with a running or stopped service, and can be repeated if it was interrupted.',
  )
    .option('--key-file', 'use the generated key file in place of a master password')
    .action(({ keyFile = false }: { keyFile?: boolean }) =>
      choose({ command: 'secrets rekey', keyFile }),
    );
}

function addConfigCommands(program: Command, choose: (invocation: Invocation) => void): void {
  const config = sub(program, 'config', 'Checks or shows the configuration.');
  for (const [name, description] of [
    ['check', 'Checks the configuration. Exits with 1 if the service would not start with it.'],
    ['show', 'Shows all settings with their values and sources. Secrets are masked.'],
  ] as const) {
    sub(config, name, description)
      .option('--json', 'print JSON')
      .action(({ json = false }: { json?: boolean }) =>
        choose({ command: `config ${name}`, json }),
      );
  }
}

const EXIT_TEXT = [
  'Exit codes:',
  ...Object.values(EXIT_CODES).map(
    ({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning.replaceAll('`', '')}`,
  ),
  '',
  'Results go to stdout, messages to stderr.',
].join('\n');
