import type { Clock } from '../../platform/clock/clock';
import type { Contained } from '../../platform/contained/tasks';
import type { InputPath } from '../../platform/errors/errors';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { JobService } from '../jobs/job.service';
import { createInvokerDeletion } from './invoker-deletion';
import { createInvokerFolder } from './invoker-folder';
import type { FolderDependencies } from './invoker-folder';
import { createInvokerImport } from './invoker-import';
import { invokerSchema } from './invoker.model';
import type { InvokerRecord } from './invoker.model';
import { createInvokerPatch } from './invoker-patch';
import type { InvokerPorts } from './invoker.ports';
import { createInvokerReading } from './invoker-reading';
import { createInvokerSources } from './invoker-sources';
import type { InvokerTasks } from './invoker-tasks';
import { createInvokerWriting } from './invoker-writing';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { inTurns } from '../../platform/event-loop';
import { readXml } from '../../platform/xml/read-xml';
import type { Invoker } from './invoker';
import type { InvokerReading } from './invoker-reading';
import { invokerPolicy } from './invoker.policy';
import { maskInvoker, maskInvokerXml } from './mask-invoker';
import { writeInvoker } from './xml/write-invoker';
import { LRUCache } from 'lru-cache';

/** Maximum size of the cache of operation names in characters; enough for thousands of invokers. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Maximum number of names in one query: a document from a client may contain very many. */
const BATCH = 500;

/** Implements the port `KnownInvokers` of workflows. */
function createKnownInvokers({
  reading,
}: {
  reading: Pick<InvokerReading, 'rowsByName' | 'invokerOf'>;
}) {
  // Keyed by the id of the XML, which never changes. Large definitions are not cached themselves.
  const offered = new LRUCache<string, ReadonlySet<string>>({ maxSize: MOST_CHARACTERS });

  /** Returns null if the invoker was deleted. */
  const operationsOf = async (row: InvokerRecord): Promise<ReadonlySet<string> | null> => {
    const known = offered.get(row.source.id);
    if (known) return known;
    const invoker = await reading.invokerOf(row);
    if (!invoker) return null;
    const names = invoker.operations.map(({ name }) => name);
    const operations = new Set(names);
    // A replaced invoker has another text.
    if (invoker.version === row.version)
      offered.set(row.source.id, operations, {
        size: names.reduce((sum, { length }) => sum + length, 1),
      });
    return operations;
  };

  return {
    /** Returns the operation names of the existing invokers by the requested name. */
    async operations(names: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
      const found = new Map<string, ReadonlySet<string>>();
      for (let from = 0; from < names.length; from += BATCH) {
        for (const [name, row] of await reading.rowsByName(names.slice(from, from + BATCH))) {
          const operations = await operationsOf(row);
          if (operations) found.set(name, operations);
        }
      }
      return found;
    },
  };
}

/** Shows invokers: unchanged to users who may update them, with masked secrets to others. */
function createInvokerShowing({ reading }: { reading: InvokerReading }) {
  const isShownWhole = (actor: Actor): boolean => allows(invokerPolicy.update, actor);

  const shown = async (actor: Actor, invoker: Invoker): Promise<Invoker> =>
    isShownWhole(actor) ? invoker : inTurns((turn) => maskInvoker(invoker, turn));

  return {
    shown,

    async *allShown(actor: Actor): AsyncGenerator<Invoker, void, void> {
      for await (const invoker of reading.all()) yield await shown(actor, invoker);
    },

    /**
     * Returns the XML as imported. Without permission to update, it is generated from the masked
     * tree, without comments, which may contain anything.
     * @throws NotFound INVOKER_NOT_FOUND
     */
    async xml(
      actor: Actor,
      name: string,
    ): Promise<{ readonly version: number; readonly text: string }> {
      const { row, text } = await reading.source(name);
      if (isShownWhole(actor)) return { version: row.version, text };
      const root = await readXml(text);
      return {
        version: row.version,
        text: await writeInvoker(await inTurns((turn) => maskInvokerXml(root, turn))),
      };
    },
  };
}

declare module '../../platform/context' {
  interface Services {
    invokers: InvokerService;
  }
}

export interface InvokerDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: FolderDependencies['log'];
  readonly audit: AuditService;
  readonly jobs: Pick<JobService, 'start'>;
  readonly folder: string;
  readonly uploadBytes: number;
  readonly contained: Contained<InvokerTasks>;
  readonly ports: InvokerPorts;
}

export type InvokerService = ReturnType<typeof createInvokerService>;

/** Invokers describe the interfaces of remote systems. Each use case has its own file. */
export function createInvokerService({
  store,
  clock,
  log,
  audit,
  jobs,
  folder,
  uploadBytes,
  contained,
  ports,
}: InvokerDependencies) {
  const invokers = store.model<InvokerRecord>('Invoker', invokerSchema, 'invokers');
  const sources = createInvokerSources(store, contained);
  const reading = createInvokerReading({ invokers, sources });
  const writing = createInvokerWriting({ store, clock, audit, invokers, sources, ports });
  const { writeOne, ...importing } = createInvokerImport({ jobs, contained, writing });
  return {
    /** Maximum upload size, bytes. Transports read no more. */
    uploadBytes,
    ...reading,
    ...createInvokerShowing({ reading }),
    ...importing,
    /** Called when a connector starts to use the invoker; see `invoker-writing.ts`. */
    claim: (name: string, tx: Tx, path?: InputPath): Promise<void> => writing.claim(name, tx, path),
    known: createKnownInvokers({ reading }),
    ...createInvokerDeletion({ store, ports, reading, writing }),
    ...createInvokerPatch({ reading, writing, sources, contained }),
    ...createInvokerFolder({ store, clock, log, folder, contained, writing, writeOne }),
  };
}
