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

/** XML as somebody brought it. */
export interface InvokerFile {
  /** `demo.xml`; null: it came as text, and is called after the invoker. */
  readonly fileName: string | null;
  readonly xml: Buffer | string;
  /** Where the input has it. */
  readonly path: InputPath;
}

/** What a row says of the XML. */
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

/** An invoker that was read and judged, ready to be written: its XML in few bytes, since hundreds may come at once. */
export interface PreparedInvoker {
  readonly said: SaidOfInvoker;
  readonly packed: PackedSource;
  readonly path: InputPath;
  /** What was assumed while it was read, each with its line. */
  readonly warnings: readonly string[];
}

/** The last part of a path, whichever system it is from. */
export const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/**
 * Reads and judges XML, without looking at what is stored.
 * @throws BadInput INVOKER_INVALID with everything that is wrong, each with its line
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
