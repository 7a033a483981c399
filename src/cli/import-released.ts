import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { firstLineOfInput } from './input';
import { requireOwner } from './operate';
import {
  messageOf,
  print,
  printable,
  printTable,
  progressPrinter,
  refuse,
  printToStderr,
} from './output';
import { requireStopped } from '../platform/control/running-service';
import type { Config } from '../config/config';
import { ConfigError, loadProcessConfig } from '../config/load';
import { OWN_PREFIX } from '../config/setting';
import type { ReleasedImportResult, ReportLine } from '../features/import-released/report';
import { EXIT } from '../platform/exit-codes';
import { makeDataDirectory } from '../platform/store/startup/data-directory';

export interface ReleasedImportInput {
  readonly folder: string;
  readonly dryRun: boolean;
  readonly json: boolean;
  /** Prefix of the settings of the released installation. Default: the configured one. */
  readonly product?: string;
  /** File with the key that its credentials are encrypted with. */
  readonly keyFile?: string;
  /** The key is read from stdin. */
  readonly keyStdin: boolean;
}

/** `hypha import-released FOLDER`. Returns the exit code. */
export async function importReleased(input: ReleasedImportInput): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    const { dir } = config.data;
    const passPhrase = await readKey(input);
    if (existsSync(dir)) {
      await requireStopped(dir, 'import-released');
      requireOwner(dir);
    }
    makeDataDirectory(dir);
    const result = await (
      await import('./import-here.js')
    ).importReleasedHere(config, {
      folder: resolve(input.folder),
      dryRun: input.dryRun,
      key: { product: input.product ?? prefixOf(config), passPhrase },
      onWritten: progressPrinter('records written'),
    });
    if (input.json) print(JSON.stringify(result, null, 2));
    else showResult(result);
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `Nothing was imported: ${messageOf(error)}`);
  }
}

/** The configured prefix, unless it is that of this service. */
const prefixOf = ({ productPrefix }: Config): string | null =>
  productPrefix === OWN_PREFIX ? null : productPrefix;

async function readKey({ keyFile, keyStdin }: ReleasedImportInput): Promise<string | null> {
  if (!keyStdin && keyFile === undefined) return null;
  const key = keyFile === undefined ? await firstLineOfInput('Key') : await firstLineOf(keyFile);
  if (key === '') throw new Error('The key is empty.');
  return key;
}

async function firstLineOf(keyFile: string): Promise<string> {
  const [line = ''] = (await readFile(resolve(keyFile), 'utf8')).split('\n');
  return line.replace(/\r$/, '');
}

const HEADINGS: Readonly<Record<ReportLine['kind'], string>> = {
  'left-out': 'Does not come over',
  changed: 'Changed',
  assumed: 'Assumed',
};

function showResult({ dryRun, counts, lines, notImported }: ReleasedImportResult): void {
  printTable([
    ['FILE', 'COMES OVER', 'LEFT OUT'],
    ...Object.entries(counts).map(([file, { imported, leftOut }]) => [
      file,
      String(imported),
      String(leftOut),
    ]),
  ]);
  for (const kind of Object.keys(HEADINGS) as ReportLine['kind'][]) {
    const ofKind = lines.filter((line) => line.kind === kind);
    if (ofKind.length > 0) print(`\n${HEADINGS[kind]}:`);
    for (const { file, index, message } of ofKind)
      print(printable(`  ${file}${index === null ? '' : `[${index}]`}: ${message}`));
  }
  print('\nNever imported:');
  for (const kind of notImported) print(`  ${kind}`);
  printToStderr(
    dryRun
      ? 'This was a dry run: nothing was imported.'
      : 'Everything was imported. Users sign in with their old passwords.',
  );
}
