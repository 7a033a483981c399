import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BadInput, TooLarge } from '../../platform/errors/errors';
import { parseJsonFile } from '../../platform/json/parse-json';
import { DUMP_FILES } from './dump.schema';
import type { Dump, DumpName } from './dump.schema';
import { plainJson } from './extended-json';
import type { Report } from './report';

/** Maximum size of a file, bytes: it is parsed in memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const LIMITS = { depth: 100, values: 10_000_000, names: 100_000 };
/** Maximum number of reported problems. */
const MAX_PROBLEMS = 20;

/** Folders of files that the released line stores as files. */
export const FOLDERS = {
  invokers: 'invoker',
  templates: 'templates',
  uploads: 'upload-dir',
} as const;

/**
 * Reads and checks the JSON files of a folder, one after the other.
 * @throws Error with a message for the operator: each wrong entry with file, index and field
 */
export async function readDump(folder: string, report: Report): Promise<Dump> {
  const names = await namesIn(folder);
  const dumpFiles = new Set<string>(Object.values(DUMP_FILES).map(({ file }) => file));
  const problems: string[] = [];
  const dump: Partial<Record<DumpName, readonly unknown[]>> = {};
  for (const [name, { file }] of Object.entries(DUMP_FILES) as [DumpName, { file: string }][])
    dump[name] = names.has(file) ? await readEntries(folder, name, problems) : [];
  if (problems.length === 0) problems.push(...repeatedIds(dump as Dump));
  if (problems.length > 0) throw new Error(invalidDump(problems));
  const isEmpty =
    [...dumpFiles].every((file) => !names.has(file)) &&
    Object.values(FOLDERS).every((each) => !names.has(each));
  if (isEmpty)
    throw new Error(
      `${folder} has none of the files of an import, such as users.json and connections.json.`,
    );
  for (const file of names)
    if (file.endsWith('.json') && !dumpFiles.has(file))
      report.partLeftOut(
        { file, index: null },
        'No file of an import has this name: it was not read.',
      );
  return dump as Dump;
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set((await readdir(folder)).sort());
  } catch (error) {
    throw new Error(`The folder ${folder} cannot be read: ${codeIn(error) ?? 'unknown error'}.`, {
      cause: error,
    });
  }
}

/** The code of an error of the file system, or null. */
const codeIn = (error: unknown): string | null =>
  (error as NodeJS.ErrnoException | undefined)?.code ?? null;

const invalidDump = (problems: readonly string[]): string =>
  [
    'The files are not valid:',
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `  ${problem}`),
    ...(problems.length > MAX_PROBLEMS ? [`  and ${problems.length - MAX_PROBLEMS} more`] : []),
  ].join('\n');

/** Adds problems as `users.json[3].email: message`. */
async function readEntries(
  folder: string,
  name: DumpName,
  problems: string[],
): Promise<readonly unknown[]> {
  const { file, entry, id } = DUMP_FILES[name];
  const value = await readJson(folder, file, problems);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.push(`${file}: Expected an array.`);
    return [];
  }
  const seen = new Set<unknown>();
  return (value as unknown[]).flatMap((each, index): unknown[] => {
    const parsed = entry.safeParse(plainJson(each));
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues)
        problems.push(`${[`${file}[${index}]`, ...path].join('.')}: ${message}`);
      return [];
    }
    const key = id === null ? undefined : (parsed.data as Readonly<Record<string, unknown>>)[id];
    if (typeof key === 'number' && seen.has(key))
      problems.push(`${file}[${index}].${id}: ${key} is there already.`);
    seen.add(key);
    return [parsed.data];
  });
}

/** Ids of parts are unique in their table, too. */
function repeatedIds({ aggregators, messages, schedules }: Dump): string[] {
  const { aggregators: tools, messages: texts, schedules: times } = DUMP_FILES;
  return [
    ...repeated(tools.file, 'args.id', aggregators, ({ args }) => args.map(({ id }) => id)),
    ...repeated(texts.file, 'content.contentId', messages, ({ content }) =>
      content.map(({ contentId }) => contentId),
    ),
    ...repeated(times.file, 'webhook.webhookId', schedules, ({ webhook }) => [webhook?.webhookId]),
    ...repeated(times.file, 'notification.notificationId', schedules, ({ notification }) =>
      (notification ?? []).map(({ notificationId }) => notificationId),
    ),
  ];
}

function repeated<E>(
  file: string,
  field: string,
  entries: readonly E[],
  idsOf: (entry: E) => readonly (number | null | undefined)[],
): string[] {
  const seen = new Set<number>();
  return entries.flatMap((entry, index) =>
    idsOf(entry).flatMap((id) => {
      if (id == null) return [];
      if (seen.has(id)) return [`${file}[${index}].${field}: ${id} is there already.`];
      seen.add(id);
      return [];
    }),
  );
}

async function readJson(folder: string, file: string, problems: string[]): Promise<unknown> {
  const path = join(folder, file);
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      problems.push(`${file}: It has ${size} bytes; the maximum is ${MAX_FILE_BYTES}.`);
      return undefined;
    }
    const value = parseJsonFile(await readFile(path), LIMITS);
    if (value === undefined) problems.push(`${file}: It is empty.`);
    return value;
  } catch (error) {
    const isInvalid = error instanceof BadInput || error instanceof TooLarge;
    if (!isInvalid && codeIn(error) === null) throw error;
    problems.push(`${file}: ${isInvalid ? error.message : `It cannot be read: ${codeIn(error)}.`}`);
    return undefined;
  }
}
