import { BSON } from 'bson';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../errors';
import { metaKey } from '../storage/keys';
import { closedError } from '../storage/kv';
import type { Kv } from '../storage/kv';
import { isLocal, isRunning, processIdentity } from './process-identity';
import type { ProcessIdentity } from './process-identity';
import type { ReadView, WriteView } from '../storage/views';

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
const HEARTBEAT_MS = 5_000;
/** More than two heartbeats: an owner that cannot be checked and is silent for this long is gone. */
const SILENCE_MS = 12_000;
/** How long to wait for a short-lived command that owns the directory. */
const BRIEF_OWNER_WAIT_MS = 15_000;
const RETRY_MS = 50;

/** Last heartbeat of an owner that cannot be checked; without another one by `until`, it is gone. */
interface LastHeartbeat {
  readonly token: string;
  readonly beat: number;
  readonly until: number;
}

/**
 * Ensures that one process owns a data directory. LMDB allows several, but their catalogs would
 * diverge, so an owner record is written in a transaction and checked by each later one.
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
    private readonly silenceMs = SILENCE_MS,
    private readonly brief = false,
  ) {}

  /** @throws StoreError with the process that owns the directory */
  async acquire(kv: Kv): Promise<void> {
    let last: LastHeartbeat | undefined;
    const waitForBriefUntil = Date.now() + BRIEF_OWNER_WAIT_MS;
    for (;;) {
      const owner = kv.writeNow((view) => this.tryAcquire(view, last));
      if (owner === undefined) break;
      if (owner.brief === true && isLocal(owner) && Date.now() < waitForBriefUntil) {
        await wait(RETRY_MS);
        continue;
      }
      if (last?.token !== owner.token)
        last = { token: owner.token, beat: owner.beat, until: Date.now() + this.silenceMs };
      if (isLocal(owner) || owner.beat !== last.beat) throw this.inUseError(owner);
      await wait(Math.min(1_000, Math.max(1, last.until - Date.now())));
    }
    this.timer = setInterval(() => this.heartbeat(kv), HEARTBEAT_MS);
    this.timer.unref();
  }

  /**
   * Call at the start of each write transaction. A missing owner record counts as lost: another
   * process took over and closed since, so the state in memory is out of date.
   * @throws StoreError another process took over the directory
   */
  readonly fence = (view: ReadView): void => {
    const owner = readOwner(view);
    if (owner?.token === this.token) return;
    if (this.released) throw closedError();
    const error = owner === undefined ? this.takenOverError() : this.inUseError(owner);
    this.onLost(error);
    throw error;
  };

  /** Does nothing if this process does not own the directory. */
  release(kv: Kv): void {
    clearInterval(this.timer);
    this.released = true;
    if (readOwner(kv.committed)?.token !== this.token) return;
    try {
      kv.writeNow((view) => {
        if (readOwner(view)?.token === this.token) view.remove(KEY);
      });
    } catch {
      // The disk is full or broken: the record stays; the next start detects that its process ended.
    }
  }

  /** Returns the current owner if this process may not take over. */
  private tryAcquire(view: WriteView, last: LastHeartbeat | undefined): Owner | undefined {
    const owner = readOwner(view);
    if (owner !== undefined) {
      const isSilent =
        last?.token === owner.token && last.beat === owner.beat && Date.now() >= last.until;
      this.isCopy = isOfAnotherFile(owner, this.dir);
      if (!this.isCopy && !isSilent && mayRun(owner)) return owner;
    }
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
    // A full disk or lost ownership is reported by the next write.
    kv.write((view) => this.write(view), { reserve: 'always' }).catch(() => undefined);
  }

  private takenOverError(): StoreError {
    return new StoreError(
      'IllegalOperation',
      `data directory ${this.dir} was taken over by another process while this one did not answer`,
    );
  }

  private inUseError({ pid, since }: Owner): StoreError {
    return new StoreError(
      'IllegalOperation',
      `data directory ${this.dir} is in use by pid ${pid} since ${since.toISOString()}; stop it, or set MONGODB_URI to share a database`,
    );
  }
}

/** For copies of the data. */
export const removeOwner = (view: WriteView): void => view.remove(KEY);

function readOwner(view: ReadView): Owner | undefined {
  const bytes = view.get(KEY);
  return bytes === undefined ? undefined : (BSON.deserialize(bytes) as unknown as Owner);
}

/** Owner of a data directory as seen by another process. */
export interface OwnerInfo {
  readonly pid: number;
  readonly since: Date;
  /** `unknown`: the process cannot be checked, for example in another container. */
  readonly state: 'alive' | 'dead' | 'unknown';
  readonly brief: boolean;
  /** The data is a copy of a directory that was in use. */
  readonly isCopy: boolean;
}

/** Returns undefined if there is no owner. */
export function readOwnerInfo(view: ReadView, dir: string): OwnerInfo | undefined {
  const owner = readOwner(view);
  if (owner === undefined) return undefined;
  const state = !mayRun(owner) ? 'dead' : isLocal(owner) ? 'alive' : 'unknown';
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
function mayRun(owner: Owner): boolean {
  return isLocal(owner) ? isRunning(owner) : owner.boot === processIdentity(process.pid).boot;
}
