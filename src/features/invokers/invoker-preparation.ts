import { BadInput } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { fold } from '../../platform/text/fold';
import { xmlText } from '../../platform/xml/read-xml';
import { XmlFault } from '../../platform/xml/xml-fault';
import type { InvokerRecord } from './invoker.model';
import { packSource } from './invoker-packing';
import type { PackedSource } from './invoker-packing';
import { InvokerFaults, told } from './xml/faults';
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
export type SaidOfInvoker = Pick<
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
  readonly said: SaidOfInvoker;
  readonly packed: PackedSource;
  readonly path: InputPath;
  /** Assumptions made while parsing, with lines. */
  readonly warnings: readonly string[];
}

/** Returns the last part of a path with either kind of slash. */
export const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/**
 * Parses and validates XML without reading the store.
 * @throws BadInput INVOKER_INVALID with all problems, each with its line
 * @throws TooLarge
 */
export async function prepareInvoker(file: InvokerFile): Promise<PreparedInvoker> {
  try {
    const text = await xmlText(file.xml);
    const { name, description, hint, icon, authType, operations, warnings } =
      await readInvoker(text);
    const packed = await packSource(text);
    const fileName = baseName(file.fileName ?? `${name}.xml`);
    return {
      packed,
      path: file.path,
      warnings,
      said: {
        name,
        nameKey: fold(name),
        description,
        hint,
        icon,
        authType,
        fileName,
        operations: operations.length,
        source: packed.ref,
      },
    };
  } catch (error) {
    if (error instanceof InvokerFaults) throw invalid(file, error.faults);
    throw error instanceof XmlFault ? invalid(file, [error]) : error;
  }
}

function invalid({ fileName, path }: InvokerFile, faults: readonly InvokerFault[]): BadInput {
  const where = fileName === null ? '' : `${fileName.slice(0, 255)}: `;
  const problems = faults.map((fault) => ({
    code: 'INVOKER_INVALID' as const,
    path,
    message: `${where}${told(fault)}`,
  }));
  return new BadInput('INVOKER_INVALID', 'The invoker cannot be read.', { problems });
}
