import { parseFilePlace, placeProblem } from '../../config/files';
import type { Actor } from '../../platform/access/actor';
import type { Report } from '../../platform/control/command';
import type { Core } from '../../platform/core';
import { BadInput } from '../../platform/errors/errors';
import type { FileStore, ServiceFiles } from '../../platform/files/file-store';
import { FolderFiles } from '../../platform/files/folder-files';
import { withLease } from '../../platform/store/lease';
import type { Lease } from '../../platform/store/lease';
import { fileStoreAt } from '../../platform/store/service-files';
import type { AuditService } from '../audit/audit.service';

declare module '../../platform/context' {
  interface Services {
    fileMoving: FileMoveService;
  }
}

interface FileMoveRequest {
  /** `database`, `folder` or `folder:PATH` with an absolute path. */
  readonly to: string;
  /** Null: all other places that the service reads. */
  readonly from: string | null;
}

/** What was done with the files of one place. */
interface MovedFiles {
  readonly from: string;
  /** Files that were not in the target before. */
  copied: number;
  /** Files that were removed from `from`, since they are in the target. */
  removed: number;
  /** Names of files with another content in the target; they stay in both places. */
  readonly differing: string[];
}

interface FileMoveResult {
  readonly to: string;
  /** Where the service saves new files. */
  readonly savesTo: string;
  /** False: the service does not read the target, so that all files stay in their places too. */
  readonly isServed: boolean;
  readonly sources: readonly MovedFiles[];
}

/** Moves uploaded files between folders and the database. */
export class FileMoveService {
  private isRunning = false;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly files: ServiceFiles;
      readonly dataDir: string;
    },
  ) {}

  /**
   * Moves all files to a place, one after the other, so that it can be interrupted and repeated.
   * @throws BadInput BAD_REQUEST with a message for the operator
   */
  async move(actor: Actor, { to, from }: FileMoveRequest, report: Report): Promise<FileMoveResult> {
    const { core, files } = this.deps;
    const target = this.storeAt(to);
    const isServed = files.stores.some(({ place }) => place === target.place);
    const sources: FileStore[] = [];
    for (const source of from === null ? files.stores : [this.storeAt(from)])
      if (!(await isSamePlace(source, target))) sources.push(source);
    if (sources.length === 0) throw refused(`The files are in the ${target.place} already.`);
    if (this.isRunning) throw refused('Another move of files has not ended yet.');
    this.isRunning = true;
    try {
      // Moves in opposite directions would each remove what the other one has copied.
      const moved = await withLease(core, 'moving-files', (lease) =>
        this.moveAll(sources, target, isServed, lease, report),
      );
      await this.audit(actor, target.place, moved);
      return { to: target.place, savesTo: files.place, isServed, sources: moved };
    } catch (error) {
      throw readable(error);
    } finally {
      this.isRunning = false;
    }
  }

  private async moveAll(
    sources: readonly FileStore[],
    target: FileStore,
    isServed: boolean,
    lease: Lease,
    report: Report,
  ): Promise<MovedFiles[]> {
    const lists = await Promise.all(sources.map((source) => source.list()));
    const total = Math.max(1, lists.flat().length);
    let done = 0;
    const results: MovedFiles[] = [];
    for (const [index, source] of sources.entries()) {
      const result: MovedFiles = { from: source.place, copied: 0, removed: 0, differing: [] };
      results.push(result);
      for (const name of lists[index]) {
        await moveFile(name, source, target, result, () => {
          lease.require();
          return isServed;
        });
        report({ done: (done += 1), total });
      }
    }
    return results;
  }

  private storeAt(text: string): FileStore {
    const { core, dataDir } = this.deps;
    const place = this.placeOf(text, dataDir);
    const problem = placeProblem(place);
    if (problem !== null) throw refused(`Files cannot be moved: ${problem}.`);
    return fileStoreAt(place, core.store);
  }

  private placeOf(text: string, dataDir: string): ReturnType<typeof parseFilePlace> {
    try {
      return parseFilePlace(text, dataDir, dataDir);
    } catch (error) {
      throw refused((error as Error).message);
    }
  }

  private audit(actor: Actor, to: string, sources: readonly MovedFiles[]): Promise<void> {
    const { core, audit } = this.deps;
    const counts = sources.map(({ from, copied, removed }) => ({ from, copied, removed }));
    return core.store.transaction((tx) =>
      audit.record(
        actor,
        'instance.files-move',
        { type: 'Instance', id: 'all' },
        null,
        { to, sources: counts },
        tx,
      ),
    );
  }
}

/** A folder may have several paths; removing files from one would remove them from the other. */
const isSamePlace = async (source: FileStore, target: FileStore): Promise<boolean> =>
  source.place === target.place ||
  (source instanceof FolderFiles &&
    target instanceof FolderFiles &&
    (await target.isSameFolder(source)));

/**
 * Removes a file from the source only after the same content was read from the target. A file that
 * is deleted meanwhile is skipped.
 */
async function moveFile(
  name: string,
  source: FileStore,
  target: FileStore,
  result: MovedFiles,
  mayRemove: () => boolean,
): Promise<void> {
  const content = await source.read(name);
  if (content === null) return;
  let stored = await target.read(name);
  if (stored === null) {
    await target.save(name, content);
    result.copied += 1;
    stored = await target.read(name);
  }
  if (stored === null) return;
  if (!stored.equals(content)) result.differing.push(name);
  else if (mayRemove()) {
    await source.delete(name);
    result.removed += 1;
  }
}

const refused = (message: string): BadInput => new BadInput('BAD_REQUEST', message);

/** Errors of the file system are of the operator, not of the service. */
function readable(error: unknown): unknown {
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : refused((error as Error).message);
}
