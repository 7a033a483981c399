import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Uploads } from '../../platform/files/uploads';
import { DUMP_FILES } from './dump.schema';
import type { Dump } from './dump.schema';
import { FOLDERS } from './dump';
import { reasonOf } from './import-context';
import type { Place, Report } from './report';

/** The released line shows icons of roles as this text and the file name. */
const ICON_PREFIX = /^imagePath/;

/** Returns the file name in a URL or path; null if there is none. */
export function fileNameOf(picture: string | null | undefined): string | null {
  const [path = ''] = (picture ?? '').split(/[?#]/);
  const name = basename(path.replaceAll('\\', '/')).replace(ICON_PREFIX, '');
  return name === '' || name === '.' || name === '..' || name.includes('\0') ? null : name;
}

/**
 * Stores the pictures and icons that the records name. Returns the new file names by the old ones.
 * @param isKept false: pictures are only checked
 */
export async function storePictures(
  folder: string,
  dump: Dump,
  { uploads, isKept, report }: { uploads: Uploads; isKept: boolean; report: Report },
): Promise<Map<string, string>> {
  const stored = new Map<string, string>();
  for (const [place, picture] of picturesIn(dump)) {
    const name = fileNameOf(picture);
    if (name === null || stored.has(name)) continue;
    try {
      const bytes = await readPicture(join(folder, FOLDERS.uploads, name), uploads.limit);
      await uploads.requireImage(bytes);
      stored.set(name, isKept ? await uploads.save(bytes) : name);
    } catch (error) {
      const reason = isMissing(error) ? `It is not in ${FOLDERS.uploads}.` : reasonOf(error);
      report.partLeftOut(place, `The picture ${JSON.stringify(name)}: ${reason}`);
    }
  }
  return stored;
}

function* picturesIn(dump: Dump): Generator<[Place, string | null | undefined]> {
  for (const [index, { icon }] of dump.roles.entries())
    yield [{ file: DUMP_FILES.roles.file, index }, icon];
  for (const [index, { userDetail }] of dump.users.entries())
    yield [{ file: DUMP_FILES.users.file, index }, userDetail?.profilePicture];
  for (const [index, { icon }] of dump.connectors.entries())
    yield [{ file: DUMP_FILES.connectors.file, index }, icon];
}

async function readPicture(path: string, limit: number): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > limit) throw new Error(`It has ${size} bytes; the maximum is ${limit}.`);
  return readFile(path);
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '');
