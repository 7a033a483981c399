import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { dyingWithTheRun, Running } from '../process';

const isRoot = process.getuid?.() === 0;
/** A namespace of mounts; an unprivileged user needs one of users, too. */
const NEW_NAMESPACE = isRoot ? ['-m'] : ['-r', '-m'];
const ENTER_NAMESPACE = isRoot ? ['-m'] : ['-U', '-m', '--preserve-credentials'];

/** Whether this user can mount a tmpfs in a namespace of its own. */
export const canMountSmallDisks =
  spawnSync('unshare', [...NEW_NAMESPACE, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0 &&
  spawnSync('nsenter', ['--version']).status === 0;

/** A small disk that only the processes started on it see. */
export class SmallDisk {
  private constructor(
    private readonly holder: ChildProcess,
    private readonly dir: string,
  ) {}

  /** Mounts it on an existing directory. */
  static async mount(dir: string, megabytes: number): Promise<SmallDisk> {
    const script = `mount -t tmpfs -o size=${megabytes}m,mode=700 tmpfs "$0" && echo mounted && exec cat`;
    const holder = spawn('unshare', [...NEW_NAMESPACE, 'sh', '-c', script, dir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await new Running(holder).says(/mounted/);
    return new SmallDisk(holder, dir);
  }

  /** Starts a program that sees the disk. */
  start(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Running {
    return new Running(
      spawn('nsenter', ['-t', String(this.holder.pid), ...ENTER_NAMESPACE, ...command], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH ?? '', ...dyingWithTheRun, ...env },
      }),
    );
  }

  /** The path of a file on the disk for this process. */
  path(name: string): string {
    return join(`/proc/${this.holder.pid}/root`, this.dir, name);
  }

  /** Writes a file until the disk has no space. */
  fill(name: string): void {
    const file = openSync(this.path(name), 'a');
    const piece = Buffer.alloc(64 * 1024, 'x');
    try {
      for (;;) writeSync(file, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  remove(name: string): void {
    rmSync(this.path(name));
  }

  unmount(): void {
    this.holder.kill();
  }
}
