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

/** Who holds the data directory, as written in the store itself: no lock file that could be left behind or deleted. */
interface Owner extends ProcessIdentity {
  readonly token: string;
  readonly since: Date;
  readonly beat: number;
  /** A command, which is done soon: worth waiting for. */
  readonly brief?: boolean;
  /** The data file it was written to; a copy of the file is another one. */
  readonly inode?: string;
  readonly device?: string;
}

const KEY = metaKey('owner');
export const HEARTBEAT_MS = 5_000;
/** Longer than two heartbeats: an owner that cannot be looked up and does not beat for that long is gone. */
const SILENCE_MS = 12_000;
/** How long a command that holds the directory is waited for. */
const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 50;

/**
 * One process holds a data directory at a time. LMDB itself would let a second one in, whose picture of the collections would then go
 * wrong, so the directory is claimed in a write transaction and every later one checks that the claim still stands.
 */
export class Ownership {
  private readonly token = randomUUID();
  private beats = 0;
  private timer: NodeJS.Timeout | undefined;
  private released = false;
  /** The data is a copy that was made of a directory in use, or of one whose owner was killed. */
  isCopy = false;

  constructor(
    private readonly dir: string,
    private readonly onLost: (error: StoreError) => void,
    private readonly silence = SILENCE_MS,
    private readonly brief = false,
  ) {}

  /** @throws StoreError naming the process that holds the directory. */
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
   * For the start of every write transaction. No claim at all is lost too: whoever took the directory over has closed it since, and
   * what this process knows of it is out of date.
   * @throws StoreError when another process has taken the directory over
   */
  readonly fence = (view: ReadView): void => {
    const owner = read(view);
    if (owner?.token === this.token) return;
    if (this.released) throw closedError();
    const error = owner === undefined ? this.takenOver() : this.inUse(owner);
    this.onLost(error);
    throw error;
  };

  /** Harmless when the directory is not, or no longer, ours. */
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

  /** The owner that must be respected, or nothing when the directory is now ours. */
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
    // A full disk or a lost claim shows in the next write; the heartbeat itself has nobody to tell.
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

/** What can be told of who holds a data directory, from outside. */
export interface OwnerSeen {
  readonly pid: number;
  readonly since: Date;
  /** `unknown`: it lives where this process cannot look, such as another container. */
  readonly state: 'alive' | 'dead' | 'unknown';
  readonly brief: boolean;
  /** The data is a copy of a directory that was in use. */
  readonly isCopy: boolean;
}

/** Undefined: nobody does. */
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

/** Devices may be numbered anew when the system starts, so they are compared within one run of it only. */
function isOfAnotherFile(owner: Owner, dir: string): boolean {
  if (owner.inode === undefined) return false;
  const { inode, device } = fileIdentity(dir);
  return (
    owner.inode !== inode ||
    (owner.boot === processIdentity(process.pid).boot && owner.device !== device)
  );
}

/** Not known to be dead: the same process still runs, or it lives where this one cannot look (another container on the volume). */
function isAlive(owner: Owner): boolean {
  return isLocal(owner) ? isRunning(owner) : owner.boot === processIdentity(process.pid).boot;
}
