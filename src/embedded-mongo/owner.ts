import { BSON } from 'bson';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { metaKey } from './keys';
import { closedError } from './kv';
import type { Kv } from './kv';
import { isLocal, isRunning, processIdentity } from './process-identity';
import type { ProcessIdentity } from './process-identity';
import { StoreError } from './semantics/errors';
import type { ReadView, WriteView } from './views';

/**
 * Owner of the data directory; stored in the database, since a lock file could be left or deleted.
 */
interface Owner extends ProcessIdentity {
  readonly token: string;
  readonly since: Date;
  readonly beat: number;
  /** A short-lived command, worth waiting for. */
  readonly brief?: boolean;
  /** Inode of the data file; differs in a copy. */
  readonly inode?: string;
  readonly device?: string;
}

const KEY = metaKey('owner');
export const HEARTBEAT_MS = 5_000;
/**
 * More than two heartbeats: an owner that cannot be checked and is silent for this long is gone.
 */
const SILENCE_MS = 12_000;
/** How long to wait for a short-lived command that owns the directory. */
const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 50;

/**
 * Ensures that one process owns a data directory. LMDB allows several, but their catalogs would
 * diverge, so the directory is claimed in a write transaction and each later one checks the claim.
 */
export class Ownership {
  private readonly token = randomUUID();
  private beats = 0;
  private timer: NodeJS.Timeout | undefined;
  private released = false;
  /** The data is a copy of a directory in use, or of one whose owner was killed. */
  isCopy = false;

  constructor(
    private readonly dir: string,
    private readonly onLost: (error: StoreError) => void,
    private readonly silence = SILENCE_MS,
    private readonly brief = false,
  ) {}

  /** @throws StoreError with the process that owns the directory */
  async claim(kv: Kv): Promise<void> {
    let silent:
      { readonly token: string; readonly beat: number; readonly until: number } | undefined;
    const patience = Date.now() + PATIENCE_MS;
    for (;;) {
      const rival = kv.writeNow((view) => this.tryClaim(view, silent));
      if (rival === undefined) break;
      if (rival.brief === true && isLocal(rival) && Date.now() < patience) {
        await wait(LOOK_AGAIN_MS);
        continue;
      }
      if (silent === undefined || silent.token !== rival.token)
        silent = { token: rival.token, beat: rival.beat, until: Date.now() + this.silence };
      if (isLocal(rival) || rival.beat !== silent.beat) throw this.inUse(rival);
      await wait(Math.min(1_000, Math.max(1, silent.until - Date.now())));
    }
    this.timer = setInterval(() => this.heartbeat(kv), HEARTBEAT_MS);
    this.timer.unref();
  }

  /**
   * Call at the start of each write transaction. A missing claim counts as lost: another process
   * took over and closed since, so the state in memory is out of date.
   * @throws StoreError another process took over the directory
   */
  readonly fence = (view: ReadView): void => {
    const owner = read(view);
    if (owner?.token === this.token) return;
    if (this.released) throw closedError();
    const error = owner === undefined ? this.takenOver() : this.inUse(owner);
    this.onLost(error);
    throw error;
  };

  /** Does nothing if this process does not own the directory. */
  release(kv: Kv): void {
    clearInterval(this.timer);
    this.released = true;
    if (read(kv.committed)?.token !== this.token) return;
    try {
      kv.writeNow((view) => {
        if (read(view)?.token === this.token) view.remove(KEY);
      });
    } catch {
      // The disk is full or broken: the record stays, and the next start sees that its process is gone.
    }
  }

  /** Claims the directory; returns the current owner if it must be respected. */
  private tryClaim(
    view: WriteView,
    silent: { readonly token: string; readonly beat: number; readonly until: number } | undefined,
  ): Owner | undefined {
    const owner = read(view);
    if (owner !== undefined && isOfAnotherFile(owner, this.dir)) {
      this.isCopy = true;
      this.write(view);
      return undefined;
    }
    const given =
      owner !== undefined &&
      silent?.token === owner.token &&
      silent.beat === owner.beat &&
      Date.now() >= silent.until;
    if (owner !== undefined && !given && isAlive(owner)) return owner;
    this.write(view);
    return undefined;
  }

  private write(view: WriteView): void {
    const self = {
      token: this.token,
      ...processIdentity(process.pid),
      since: new Date(Date.now() - process.uptime() * 1_000),
      beat: this.beats++,
      brief: this.brief,
      ...fileIdentity(this.dir),
    };
    view.put(KEY, Buffer.from(BSON.serialize(self)));
  }

  private heartbeat(kv: Kv): void {
    // A full disk or lost claim is reported by the next write.
    kv.write((view) => this.write(view), { frees: true }).catch(() => undefined);
  }

  private takenOver(): StoreError {
    return new StoreError(
      20,
      'IllegalOperation',
      `data directory ${this.dir} was taken over by another process while this one did not answer`,
    );
  }

  private inUse({ pid, since }: Owner): StoreError {
    return new StoreError(
      20,
      'IllegalOperation',
      `data directory ${this.dir} is in use by pid ${pid} since ${since.toISOString()}; stop it, or set MONGODB_URI to share a database`,
    );
  }
}

/** Removes the claim from a copy of the data. */
export const disown = (view: WriteView): void => view.remove(KEY);

function read(view: ReadView): Owner | undefined {
  const bytes = view.get(KEY);
  return bytes === undefined ? undefined : (BSON.deserialize(bytes) as unknown as Owner);
}

/** Owner of a data directory as seen by another process. */
export interface OwnerSeen {
  readonly pid: number;
  readonly since: Date;
  /** `unknown`: the process cannot be checked, for example in another container. */
  readonly state: 'alive' | 'dead' | 'unknown';
  readonly brief: boolean;
  /** The data is a copy of a directory that was in use. */
  readonly isCopy: boolean;
}

/** Returns undefined if there is no owner. */
export function ownerSeen(view: ReadView, dir: string): OwnerSeen | undefined {
  const owner = read(view);
  if (owner === undefined) return undefined;
  const unknown = isAlive(owner) ? 'unknown' : 'dead';
  const state = !isLocal(owner) ? unknown : isRunning(owner) ? 'alive' : 'dead';
  return {
    pid: owner.pid,
    since: owner.since,
    state,
    brief: owner.brief === true,
    isCopy: isOfAnotherFile(owner, dir),
  };
}

function fileIdentity(dir: string): { readonly inode: string; readonly device: string } {
  const { ino, dev } = statSync(join(dir, 'data.mdb'), { bigint: true });
  return { inode: String(ino), device: String(dev) };
}

/** Device numbers may change on reboot, so they are compared within one boot only. */
function isOfAnotherFile(owner: Owner, dir: string): boolean {
  if (owner.inode === undefined) return false;
  const { inode, device } = fileIdentity(dir);
  return (
    owner.inode !== inode ||
    (owner.boot === processIdentity(process.pid).boot && owner.device !== device)
  );
}

/** The process runs, or cannot be checked (another container on the same volume). */
function isAlive(owner: Owner): boolean {
  return isLocal(owner) ? isRunning(owner) : owner.boot === processIdentity(process.pid).boot;
}
