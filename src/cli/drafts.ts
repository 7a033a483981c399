import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** `.<name of the backup>.<id of boot and container>-<process id>.partial` */
const DRAFT = /^\..+\.([0-9a-f]{8})-(\d+)\.partial$/;
/**
 * A draft whose process is not visible from here is abandoned if it was not written for this long.
 */
const FORGOTTEN_MS = 24 * 60 * 60_000;

/**
 * Name of the temporary folder of a backup, next to its target. It identifies the process that
 * writes it.
 */
export const draftName = (target: string): string => `.${target}.${home()}-${process.pid}.partial`;

/** Removes drafts of killed backups from a folder; those of active ones stay. */
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

/** Returns an id of boot and container. Process ids can be compared only if it is the same. */
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
