import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** `.<name of the backup>.<where its process lives>-<process>.partial` */
const DRAFT = /^\..+\.([0-9a-f]{8})-(\d+)\.partial$/;
/** A draft of a process that cannot be looked up from here is given up when nothing has been written to it for so long. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

/** The folder a backup is put together in, beside its target. The name says whose it is. */
export const draftName = (target: string): string => `.${target}.${home()}-${process.pid}.partial`;

/** Removes what backups that were killed have left in a folder; those that are under way are left alone. */
export function removeDeadDrafts(folder: string): void {
  for (const name of quietly(() => readdirSync(folder), [])) {
    const [, where, pid] = DRAFT.exec(name) ?? [];
    if (where === undefined) continue;
    const draft = join(folder, name);
    const dead =
      where === home()
        ? Number(pid) === process.pid || !isRunning(Number(pid))
        : isForgotten(draft);
    if (dead) rmSync(draft, { recursive: true, force: true });
  }
}

/** The process ids of one boot and one container mean the same processes; others cannot be judged. */
function home(): string {
  const boot = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), '');
  const namespace = quietly(() => readlinkSync('/proc/self/ns/pid'), '');
  return createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function isForgotten(draft: string): boolean {
  const files = [
    draft,
    ...quietly(() => readdirSync(draft, { recursive: true, encoding: 'utf8' }), []).map((file) =>
      join(draft, file),
    ),
  ];
  const last = Math.max(...files.map((file) => quietly(() => statSync(file).mtimeMs, 0)));
  return Date.now() - last > FORGOTTEN_MS;
}

function quietly<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
