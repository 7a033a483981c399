import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { firstLineOfInput } from './input';
import { operate, requireOwner } from './operate';
import { messageOf, print, printable, progressPrinter, refuse, printToStderr } from './output';
import { requireStopped } from '../platform/control/running-service';
import { ConfigError, loadProcessConfig } from '../config/load';
import type { ImportResult } from '../features/moving/import.service';
import type { EnterAgain } from '../features/moving/manifest';
import { EXIT } from '../platform/exit-codes';
import { makeDataDirectory } from '../platform/store/startup/data-directory';

export interface ImportInput {
  readonly file: string;
  /** The archive is sealed; the passphrase is read from stdin. */
  readonly passphrase: boolean;
  readonly replace: boolean;
}

/** `hypha export FILE`. Returns the exit code. */
export async function exportInstance(file: string, isSealed: boolean): Promise<number> {
  const failure = 'Nothing was exported';
  try {
    const { config } = loadProcessConfig();
    const passphrase = isSealed ? await firstLineOfInput('Passphrase') : null;
    const input = { file: resolve(file), passphrase };
    const answer = await operate(config, 'export', input, progressPrinter('records exported'));
    if (!answer.done) return refuse(EXIT.failed, `${failure}: ${answer.message}`);
    const { bytes, documents, uploads, sha256 } = answer.result;
    print(
      `exported: ${String(documents)} records, ${String(uploads)} uploaded files to ${input.file}: ${String(bytes)} bytes, SHA-256 ${String(sha256)}`,
    );
    printToStderr(
      isSealed
        ? 'The archive has all secrets. Keep the passphrase: the archive cannot be read without it.'
        : 'The archive has no passwords, credentials and secrets. Use --passphrase to include them.',
    );
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `${failure}: ${messageOf(error)}`);
  }
}

/** `hypha import FILE`. Returns the exit code. */
export async function importInstance({ file, passphrase, replace }: ImportInput): Promise<number> {
  let hasBegun = false;
  try {
    const { config } = loadProcessConfig();
    const { dir } = config.data;
    const enteredPassphrase = passphrase ? await firstLineOfInput('Passphrase') : null;
    if (existsSync(dir)) {
      await requireStopped(dir, 'import');
      requireOwner(dir);
    }
    makeDataDirectory(dir);
    const report = progressPrinter('records stored');
    const result = await (
      await import('./import-here.js')
    ).importHere(config, {
      file: resolve(file),
      passphrase: enteredPassphrase,
      replace,
      onChecked: progressPrinter('records checked'),
      onStored: (progress) => {
        hasBegun = true;
        report(progress);
      },
    });
    showResult(result);
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(
      EXIT.failed,
      hasBegun
        ? `The import is not complete: ${messageOf(error)}\nThe service does not start until you run \`hypha import\` again.`
        : `Nothing was imported: ${messageOf(error)}`,
    );
  }
}

function showResult({ documents, uploads, sealed, enterAgain }: ImportResult): void {
  print(
    `imported: ${documents} records, ${uploads} uploaded files; counts and hashes verified` +
      (enterAgain === null
        ? `; ${sealed} records encrypted with the key of this installation`
        : ''),
  );
  printToStderr('All users sign in again.');
  if (enterAgain !== null)
    for (const line of missingLines(enterAgain)) printToStderr(printable(line));
}

/** Maximum number of names in a line. */
const MAX_NAMES = 20;

/** What has to be entered again, a line for each kind. */
function missingLines(missing: EnterAgain): string[] {
  const { connectors, secrets, workflows, invokers, notifications, webhooks } = missing;
  const line = (label: string, names: readonly string[]): string[] => {
    if (names.length === 0) return [];
    const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
    return [`  ${label}: ${names.slice(0, MAX_NAMES).join(', ')}${more}`];
  };
  const lines = [
    ...line(
      'credentials of connectors',
      connectors.map(({ title, fields }) => `${title} (${fields.join(', ')})`),
    ),
    ...line('named secrets', secrets),
    ...line('values *** in workflows', workflows),
    ...line('values *** in invokers', invokers),
    ...line('webhook URLs *** in notifications', notifications),
    ...line('webhooks of schedules (create them again)', webhooks),
    ...line('second factors of users (set up again)', missing.secondFactors),
    ...(missing.apiTokens > 0 ? [`  ${missing.apiTokens} API tokens (create them again)`] : []),
    ...(missing.passwords > 0
      ? [
          `  passwords of ${missing.passwords} users: run \`hypha user reset-password EMAIL\` for an administrator; the others use the link for forgotten passwords`,
        ]
      : []),
  ];
  return lines.length === 0 ? [] : ['The archive has no secrets. Enter again:', ...lines];
}
