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
import { createKnownInvokers } from './known-invokers';
import { invokerSchema } from './invoker.model';
import type { InvokerRecord } from './invoker.model';
import { createInvokerPatch } from './invoker-patch';
import type { InvokerPorts } from './invoker.ports';
import { createInvokerReading } from './invoker-reading';
import { createInvokerShowing } from './invoker-showing';
import { createInvokerSources } from './invoker-sources';
import type { InvokerTasks } from './invoker-tasks';
import { createInvokerWriting } from './invoker-writing';

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
  /** Where the installation has invokers of its own. */
  readonly folder: string;
  readonly uploadBytes: number;
  readonly contained: Contained<InvokerTasks>;
  readonly ports: InvokerPorts;
}

export type InvokerService = ReturnType<typeof createInvokerService>;

/** Invokers: descriptions of the interfaces of remote systems. One file for each use case. */
export function createInvokerService({ store, clock, log, audit, jobs, folder, uploadBytes, contained, ports }: InvokerDependencies) {
  const invokers = store.model<InvokerRecord>('Invoker', invokerSchema, 'invokers');
  const sources = createInvokerSources(store, contained);
  const reading = createInvokerReading({ invokers, sources });
  const writing = createInvokerWriting({ store, clock, audit, invokers, sources, ports });
  const { writeOne, ...importing } = createInvokerImport({ jobs, contained, writing });
  return {
    /** Most bytes of a file; the doors read no more. */
    uploadBytes,
    ...reading,
    ...createInvokerShowing({ reading }),
    ...importing,
    /** For a connector that comes to use it: see `invoker-writing.ts`. */
    claim: (name: string, tx: Tx, path?: InputPath): Promise<void> => writing.claim(name, tx, path),
    /** What workflows ask. */
    known: createKnownInvokers({ reading }),
    ...createInvokerDeletion({ store, ports, reading, writing }),
    ...createInvokerPatch({ reading, writing, sources, contained }),
    ...createInvokerFolder({ store, clock, log, folder, contained, writing, writeOne }),
  };
}
