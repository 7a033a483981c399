import { writeSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { askSystem, closeInheritedFiles } from '../child-process/inherited-files';
import { startGuard } from '../child-process/start-guard';
import type { Guard } from '../child-process/start-guard';
import { plainError } from '../errors/carried-error';
import { DomainError } from '../errors/errors';
import type { ContainedLimits, ContainedTasks, FromContained, ToContained } from './tasks';

/** EX_SOFTWARE: internal error. */
const FAULT = 70;
/** Interval at which the event loop reports to the guard that it is not blocked. */
const BEAT_MS = 100;

/** Main program of a process that executes tasks one at a time; gets all input by messages. */
export function serveTasks(tasks: ContainedTasks): void {
  process.title = 'hypha reader';
  closeInheritedFiles();
  askSystem();
  const atFirst = process.memoryUsage.rss();
  let guard: Guard | null = null;
  const keptBytes = (): number => process.memoryUsage.rss() - atFirst;

  async function open(limits: ContainedLimits): Promise<void> {
    guard = await startGuard(limits);
    send({ kind: 'ready' });
  }

  async function work(name: string, input: unknown): Promise<void> {
    guard?.beat();
    guard?.busy();
    const beats = setInterval(() => guard?.beat(), BEAT_MS);
    try {
      const output = await tasks[name](input as never, (value) => send({ kind: 'report', value }));
      send({ kind: 'done', output, keptBytes: keptBytes() });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      send({ kind: 'refused', error: plainError(error), keptBytes: keptBytes() });
    } finally {
      clearInterval(beats);
      guard?.idle();
    }
  }

  process.on('message', (message: ToContained) => {
    if (message.kind === 'open') open(message.limits).catch(die);
    else work(message.task, message.input).catch(die);
  });
  process.on('uncaughtException', die);
  process.on('disconnect', () => process.exit(0));
  // The service ends this process; signals to the process group arrive here too and are ignored.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => undefined);
}

function send(message: FromContained): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** Logs the name and stack frames of the error only: the message may quote the input. */
function die(fault: unknown): void {
  const frames = isNativeError(fault)
    ? (fault.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line))
    : [];
  writeSync(2, [isNativeError(fault) ? fault.name : typeof fault, ...frames, ''].join('\n'));
  process.exit(FAULT);
}
