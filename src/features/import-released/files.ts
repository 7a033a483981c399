import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../../platform/context';
import { FOLDERS } from './dump';
import { attempt, importRecord } from './import-context';
import type { ImportContext } from './import-context';
import type { Place, Report } from './report';

type PreparedInvoker = Awaited<ReturnType<Services['invokerImport']['prepare']>>;
type PreparedTemplate = Awaited<ReturnType<Services['templateImports']['prepare']>>;

/** A parsed file that the transaction of the import writes. */
interface ReadyFile<P> {
  readonly place: Place;
  readonly prepared: P;
}

export interface ReadyFiles {
  readonly invokers: readonly ReadyFile<PreparedInvoker>[];
  readonly templates: readonly ReadyFile<PreparedTemplate>[];
}

/** Parses the files of invokers and templates, before the transaction begins. */
export async function prepareFiles(
  folder: string,
  { invokerImport, templateImports }: Pick<Services, 'invokerImport' | 'templateImports'>,
  report: Report,
): Promise<ReadyFiles> {
  return {
    invokers: await prepareEach(folder, FOLDERS.invokers, '.xml', {
      report,
      limit: invokerImport.uploadBytes,
      prepare: (bytes, fileName) => invokerImport.prepare({ fileName, xml: bytes, path: [] }),
    }),
    templates: await prepareEach(folder, FOLDERS.templates, '.json', {
      report,
      limit: templateImports.uploadBytes,
      prepare: (bytes) => templateImports.prepare(bytes),
    }),
  };
}

interface PreparedFile {
  readonly warnings: readonly string[];
  /** Paths of removed values. */
  readonly leftOut?: readonly string[];
}

interface FilePreparation<P> {
  readonly report: Report;
  /** Maximum bytes of a file. */
  readonly limit: number;
  readonly prepare: (bytes: Buffer, fileName: string) => Promise<P>;
}

async function prepareEach<P extends PreparedFile>(
  folder: string,
  name: string,
  extension: string,
  { report, limit, prepare }: FilePreparation<P>,
): Promise<ReadyFile<P>[]> {
  const ready: ReadyFile<P>[] = [];
  for (const fileName of await filesIn(join(folder, name))) {
    const place = { file: `${name}/${fileName}`, index: null };
    const path = join(folder, name, fileName);
    const { size } = await stat(path);
    if (!fileName.toLowerCase().endsWith(extension) || size > limit) {
      const reason =
        size > limit ? `It has ${size} bytes; the maximum is ${limit}.` : 'It is not read.';
      report.partLeftOut(place, reason);
      continue;
    }
    const prepared = await attempt(report, place, fileName, async () =>
      prepare(await readFile(path), fileName),
    );
    if (!prepared) continue;
    for (const warning of prepared.warnings) report.assumed(place, warning);
    for (const path of prepared.leftOut ?? [])
      report.partLeftOut(place, `${path}: The value may be secret; templates have none.`);
    ready.push({ place, prepared });
  }
  return ready;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export async function importInvokers(
  { actor, tx, report, services }: ImportContext,
  { invokers }: ReadyFiles,
): Promise<void> {
  for (const { place, prepared } of invokers)
    await importRecord(report, place, prepared.fields.name, () =>
      services.invokerImport.adopt(actor, prepared, tx),
    );
}

export async function importTemplates(
  { actor, tx, report, services }: ImportContext,
  { templates }: ReadyFiles,
): Promise<void> {
  for (const { place, prepared } of templates)
    await importRecord(report, place, prepared.name, () =>
      services.templateImports.adopt(actor, prepared, tx),
    );
}
