import { readZip, ZIP_LIMITS } from '../../platform/archive/read-zip';
import { BadInput, Conflict } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { XML_LIMITS } from '../../platform/xml/read-xml';
import { baseName, prepareInvoker } from './invoker-preparation';
import type { PreparedInvoker } from './invoker-preparation';

const ARCHIVE_LIMITS = {
  ...ZIP_LIMITS,
  entries: 500,
  entryBytes: XML_LIMITS.bytes,
  totalBytes: 100 * 1024 * 1024,
};
const FILE_PATH = ['file'] as const;
/** Maximum number of non-XML files that a warning names. */
const MAX_FILES_NAMED = 100;

/** The archive file that is read next; `read` is its number. */
export interface ArchiveStep {
  readonly read: number;
  readonly fileName: string;
}

/**
 * Parses and checks all invokers of a zip archive without reading the store.
 * @param report called with the progress
 * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID; INVOKER_INVALID for each invalid file, with
 * lines
 * @throws Conflict INVOKER_ALREADY_EXISTS if two files have the same name
 * @throws TooLarge
 */
export async function prepareArchive(
  archive: Buffer,
  report: (step: ArchiveStep) => void | Promise<void>,
): Promise<PreparedInvoker[]> {
  const found = new Findings();
  const prepared = new Map<string, PreparedInvoker>();
  const left: string[] = [];
  let read = 0;
  for await (const { name, bytes } of readZip(archive, ARCHIVE_LIMITS)) {
    read += 1;
    await report({ read, fileName: baseName(name).slice(0, 200) });
    if (!/\.xml$/i.test(name)) {
      if (left.length < MAX_FILES_NAMED)
        left.push(`${name}: This is no XML file; it was not imported.`);
      continue;
    }
    const one = await found.of(() =>
      prepareInvoker({ fileName: name, xml: bytes, path: FILE_PATH }),
    );
    const other = one && prepared.get(one.said.nameKey);
    if (other)
      found.add(
        new Conflict(
          'INVOKER_ALREADY_EXISTS',
          `${name}: The invoker ${one.said.name} is in ${other.said.fileName}, too.`,
          { path: FILE_PATH },
        ),
      );
    else if (one) prepared.set(one.said.nameKey, one);
  }
  if (read === 0)
    found.add(new BadInput('INVOKER_INVALID', 'The archive has no files.', { path: FILE_PATH }));
  found.refuse();
  const [first, ...others] = prepared.values();
  if (!first)
    throw new BadInput('INVOKER_INVALID', 'The archive has no XML files.', { path: FILE_PATH });
  return [{ ...first, warnings: [...first.warnings, ...left] }, ...others];
}
