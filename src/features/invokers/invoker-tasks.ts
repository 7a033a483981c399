import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { readZip, ZIP_LIMITS } from '../../platform/archive/read-zip';
import type { Report } from '../../platform/contained/tasks';
import { BadInput, Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { fold } from '../../platform/text/fold';
import { XML_LIMITS, xmlText } from '../../platform/xml/read-xml';
import { XmlFault } from '../../platform/xml/xml-fault';
import type { InvokerRecord, SourceRecord } from './invoker.model';
import { formatFault, InvokerFaults } from './xml/faults';
import type { InvokerFault } from './xml/faults';
import { readInvoker } from './xml/read-invoker';

/** XML from a request or a file. */
export interface InvokerFile {
  /** `demo.xml`; null for XML that was sent as text, which is named after the invoker. */
  readonly fileName: string | null;
  readonly xml: Buffer | string;
  /** Path of the XML in the input, for error messages. */
  readonly path: InputPath;
}

/** The fields of the record that come from the XML. */
type InvokerFields = Pick<
  InvokerRecord,
  | 'name'
  | 'nameKey'
  | 'description'
  | 'hint'
  | 'icon'
  | 'authType'
  | 'fileName'
  | 'operations'
  | 'source'
>;

/**
 * A parsed and validated invoker. Its XML is compressed, because hundreds may be imported at once.
 */
export interface PreparedInvoker {
  readonly fields: InvokerFields;
  readonly source: SourceRecord;
  readonly path: InputPath;
  /** Assumptions made while parsing, with lines. */
  readonly warnings: readonly string[];
}

/** The archive file that is read next; `read` is its number. */
export interface ArchiveStep {
  readonly read: number;
  readonly fileName: string;
}

const ARCHIVE_LIMITS = {
  ...ZIP_LIMITS,
  entries: 500,
  entryBytes: XML_LIMITS.bytes,
  totalBytes: 100 * 1024 * 1024,
};
const FILE_PATH = ['file'] as const;
/** Maximum number of non-XML files that a warning names. */
const MAX_FILES_NAMED = 100;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const compress = promisify(deflate);

/** Tasks that parse XML, in a separate process if it is large. */
export const invokerTasks = {
  invoker: (file: InvokerFile): Promise<PreparedInvoker> => prepareInvoker(file),
  invokers: (archive: Buffer, report: Report): Promise<PreparedInvoker[]> =>
    prepareArchive(archive, report),
  invokerDefinition: async (text: string): Promise<Buffer> =>
    Buffer.from(JSON.stringify(await readInvoker(text, 'stored'))),
};

export type InvokerTasks = typeof invokerTasks;

/**
 * Parses and validates XML without reading the store.
 * @throws BadInput INVOKER_INVALID with all problems, each with its line
 * @throws TooLarge
 */
async function prepareInvoker(file: InvokerFile): Promise<PreparedInvoker> {
  try {
    const text = xmlText(file.xml);
    const { name, description, hint, icon, authType, operations, warnings } =
      await readInvoker(text);
    const bytes = Buffer.from(withUtf8Declaration(text));
    const id = randomBytes(12).toString('hex');
    const hash = createHash('sha256').update(bytes).digest('hex');
    return {
      path: file.path,
      warnings,
      source: { _id: id, bytes: await compress(bytes) },
      fields: {
        name,
        nameKey: fold(name),
        description,
        hint,
        icon,
        authType,
        fileName: baseName(file.fileName ?? `${name}.xml`),
        operations: operations.length,
        source: { id, hash, bytes: bytes.length },
      },
    };
  } catch (error) {
    if (error instanceof InvokerFaults) throw invalidFile(file, error.faults);
    throw error instanceof XmlFault ? invalidFile(file, [error]) : error;
  }
}

/** The text is stored as UTF-8, whatever encoding the file had. */
function withUtf8Declaration(text: string): string {
  // On the line of the root element, so that line numbers in warnings match the file.
  const hasDeclaration = text.startsWith('<?xml');
  return `${DECLARATION}${hasDeclaration ? text.slice(text.indexOf('?>') + 2) : text}`;
}

/** Returns the last part of a path with either kind of slash. */
const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

function invalidFile({ fileName, path }: InvokerFile, faults: readonly InvokerFault[]): BadInput {
  const place = fileName === null ? '' : `${fileName.slice(0, 255)}: `;
  const problems = faults.map((fault) => ({
    code: 'INVOKER_INVALID' as const,
    path,
    message: `${place}${formatFault(fault)}`,
  }));
  return new BadInput('INVOKER_INVALID', 'The invoker is invalid.', { problems });
}

/**
 * Parses and checks all invokers of a zip archive without reading the store.
 * @param report called with the progress
 * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID; INVOKER_INVALID for each invalid file, with
 * lines
 * @throws Conflict INVOKER_ALREADY_EXISTS if two files have the same name
 * @throws TooLarge
 */
async function prepareArchive(
  archive: Buffer,
  report: (step: ArchiveStep) => void | Promise<void>,
): Promise<PreparedInvoker[]> {
  const findings = new Findings();
  const prepared = new Map<string, PreparedInvoker>();
  const skipped: string[] = [];
  let read = 0;
  for await (const { name, bytes } of readZip(archive, ARCHIVE_LIMITS)) {
    read += 1;
    await report({ read, fileName: baseName(name).slice(0, 200) });
    if (!/\.xml$/i.test(name)) {
      if (skipped.length < MAX_FILES_NAMED)
        skipped.push(`${name}: Not imported, because it is not an XML file.`);
      continue;
    }
    const one = await findings.of(() =>
      prepareInvoker({ fileName: name, xml: bytes, path: FILE_PATH }),
    );
    const other = one && prepared.get(one.fields.nameKey);
    if (other)
      findings.add(
        new Conflict(
          'INVOKER_ALREADY_EXISTS',
          `${name}: The invoker ${one.fields.name} is also in ${other.fields.fileName}.`,
          { path: FILE_PATH },
        ),
      );
    else if (one) prepared.set(one.fields.nameKey, one);
  }
  if (read === 0) findings.add(invalidArchive('The archive has no files.'));
  findings.refuse();
  const [first, ...others] = prepared.values();
  if (!first) throw invalidArchive('The archive has no XML files.');
  return [{ ...first, warnings: [...first.warnings, ...skipped] }, ...others];
}

const invalidArchive = (message: string): BadInput =>
  new BadInput('INVOKER_INVALID', message, { path: FILE_PATH });
