import type { ListedProcess } from '../../platform/store/startup/process-records';
import type { Processes } from '../../platform/store/startup/processes';

declare module '../../platform/context' {
  interface Services {
    processList: ProcessService;
  }
}

/** A process of the service, as operators see it. */
export type ServiceProcess = Omit<ListedProcess, 'keyId'> & {
  /** Number of runs that it executes. */
  readonly runs: number;
};

/** The processes that share the store. */
export class ProcessService {
  constructor(
    private readonly processes: Pick<Processes, 'list'>,
    private readonly runs: { countByOwner(): Promise<ReadonlyMap<string, number>> },
  ) {}

  /** Returns all processes, also those that died within a day, the oldest first. */
  async list(): Promise<ServiceProcess[]> {
    const [processes, runs] = await Promise.all([this.processes.list(), this.runs.countByOwner()]);
    return processes.map(({ keyId: _, ...process }) => ({
      ...process,
      runs: runs.get(process._id) ?? 0,
    }));
  }
}
