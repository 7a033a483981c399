import { startProgram } from '../child-process/program';
import { startGuard } from '../child-process/start-guard';
import type { Guard } from '../child-process/start-guard';
import { plainError } from '../errors/carried-error';
import { DomainError } from '../errors/errors';
import type { ContainedLimits, ContainedTasks, FromContained, ToContained } from './tasks';

/** Interval at which the event loop reports to the guard that it is not blocked. */
const BEAT_MS = 100;

/** Main program of a process that executes tasks one at a time; gets all input by messages. */
export function serveTasks(tasks: ContainedTasks): void {
  const send = startProgram<ToContained, FromContained>('hypha reader', (message) =>
    message.kind === 'open' ? open(message.limits) : work(message.task, message.input),
  );
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
}
