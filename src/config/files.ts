import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from './forms';
import { optional } from './setting';

/** Where uploaded files lie. */
export type FilePlace =
  | { readonly kind: 'database' }
  | {
      readonly kind: 'folder';
      /** Absolute. */
      readonly dir: string;
      /** Whether it is in the data directory, where it is created when it is needed. */
      readonly isOwn: boolean;
    };

const FORM = /^(?:database|folder(?::(?<dir>.+))?)$/s;
const FOLDER_IN_DATA_DIR = 'uploads';

export const FILES_SETTINGS = {
  /** Null: `folder`. */
  files: optional(
    '<product>.files',
    text('folder, folder:PATH of a folder that exists, or database', (value) => FORM.test(value)),
    { defaultText: '`folder`, which is `uploads` in the data directory' },
  ),
} as const;

/**
 * Parses `database`, `folder` and `folder:PATH`.
 * @param dataDir absolute
 * @param cwd what paths are relative to
 * @throws Error with a message for the operator
 */
export function parseFilePlace(value: string, dataDir: string, cwd: string): FilePlace {
  const parts = FORM.exec(value);
  if (parts === null)
    throw new Error(`${JSON.stringify(value)} must be database, folder or folder:PATH.`);
  if (value === 'database') return { kind: 'database' };
  const dir = parts.groups?.dir;
  return {
    kind: 'folder',
    isOwn: dir === undefined,
    dir: dir === undefined ? join(dataDir, FOLDER_IN_DATA_DIR) : resolve(cwd, dir),
  };
}

/**
 * Returns why files cannot be stored in a place; null if they can. A folder that an operator named is
 * never created: a network drive may not be mounted yet.
 */
export function placeProblem(place: FilePlace): string | null {
  if (place.kind === 'database' || place.isOwn) return null;
  const { dir } = place;
  try {
    if (!statSync(dir).isDirectory()) return `${dir} is not a folder`;
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return `the folder ${dir} must exist and be writable (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}

interface FileValues {
  readonly files: string | null;
  readonly dataDir: string;
  readonly mongodbUri: string | null;
}

export const filePlaceOf = ({ files, dataDir }: FileValues, cwd: string): FilePlace =>
  parseFilePlace(files ?? 'folder', resolve(cwd, dataDir), cwd);

/** Returns why the configured folder cannot be used. */
export function filesProblems(values: FileValues, product: string, cwd: string): string[] {
  const problem = placeProblem(filePlaceOf(values, cwd));
  return problem === null ? [] : [`${product}.files = ${JSON.stringify(values.files)}: ${problem}`];
}

export const filesWarnings = ({ files, mongodbUri }: FileValues, product: string): string[] =>
  files === null && mongodbUri !== null
    ? [
        `${product}.files is not set: pictures and icons lie in the data directory of this process, and other processes at the same MongoDB do not serve them. Several processes need database or folder:PATH; set folder if this is the only one`,
      ]
    : [];
