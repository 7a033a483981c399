import { readFileSync } from 'node:fs';

/** Of the clock that the kernel counts a process's time in. */
const TICK_MS = 10;

/** User and system time of all threads of a process; on a busy machine the truer figure. */
export function processorMs(pid: number): number {
  // Fields 14 and 15 of stat(5); the name of the program before them may hold spaces.
  const fields = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}

/** Memory of a process now, and the most it has had, 10^6 bytes; the kernel counts in 1,024 bytes. */
export function megabytes(pid: number): { readonly resident: number; readonly peak: number } {
  const status = readProc(pid, 'status');
  const field = (name: string): number =>
    (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1_024) / 1e6;
  return { resident: field('VmRSS'), peak: field('VmHWM') };
}

/**
 * Memory of a process now without the pages of the store's file that it has mapped, 10^6 bytes: these are the system's cache of a file, which
 * it reclaims on demand, and they grow with the stored data.
 */
export function ownMegabytes(pid: number): number {
  const mapped = readProc(pid, 'smaps')
    .split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/)
    .filter((area) => /^[^\n]*data\.mdb$/m.test(area));
  const cached = mapped.reduce(
    (sum, area) => sum + Number(/^Rss:\s+(\d+)/m.exec(area)?.[1] ?? 0),
    0,
  );
  return megabytes(pid).resident - (cached * 1_024) / 1e6;
}

/** Returns an empty text for a process that has exited. */
function readProc(pid: number, file: 'stat' | 'status' | 'smaps'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
