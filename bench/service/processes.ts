import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf } from '../../test/engine/support/pool';

/** Of the clock that the kernel counts a process's time in. */
const TICK_MS = 10;

/** User and system time of all threads of a process; on a busy machine the truer figure. */
export const processorMs = (pid: number): number => processorTicks(pid, 2) * TICK_MS;

/** The sum of the first fields of stat(5) that are times. */
function processorTicks(pid: number, fields: number): number {
  // From field 14 on; the name of the program before them may hold spaces.
  const stat = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return stat.slice(11, 11 + fields).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** A process and all processes that it started, and that these started. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** The same of a process and of all below it, with those that have ended. */
export function treeProcessorMs(pid: number): number {
  // After the two of the process itself come those of its ended children.
  return treeOf(pid).reduce((sum, each) => sum + processorTicks(each, 4), 0) * TICK_MS;
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

/** Memory of a process now, of shared pages its part, 10^6 bytes. */
export const proportionalMegabytes = (pid: number): number =>
  (Number(/^Pss:\s+(\d+)/m.exec(readProc(pid, 'smaps_rollup'))?.[1] ?? 0) * 1_024) / 1e6;

/** What a process calls itself. */
export const titleOf = (pid: number): string => readProc(pid, 'cmdline');

/** Open files, sockets and pipes of a process. */
export const descriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Returns an empty text for a process that has exited. */
function readProc(
  pid: number,
  file: 'cmdline' | 'stat' | 'status' | 'smaps' | 'smaps_rollup',
): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
