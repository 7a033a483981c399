import type { Report } from '../../platform/contained/tasks';
import { prepareArchive } from './invoker-archive';
import { prepareInvoker } from './invoker-preparation';
import type { InvokerFile, PreparedInvoker } from './invoker-preparation';
import { readInvoker } from './xml/read-invoker';

/** Tasks that parse XML, in a separate process if it is large. */
export const invokerTasks = {
  invoker: (file: InvokerFile): Promise<PreparedInvoker> => prepareInvoker(file),
  invokers: (archive: Buffer, report: Report): Promise<PreparedInvoker[]> =>
    prepareArchive(archive, report),
  /** Returns the JSON of an `InvokerDefinition`. */
  invokerDefinition: async (text: string): Promise<Buffer> =>
    Buffer.from(JSON.stringify(await readInvoker(text, 'stored'))),
};

export type InvokerTasks = typeof invokerTasks;

export const sizeOf = ({ xml }: InvokerFile): number => xml.length;
