import { writeSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { askSystem, closeInheritedFiles } from './inherited-files';

/** EX_SOFTWARE: internal error. */
const FAULT = 70;

/**
 * Starts a program that executes tasks of the service, and returns the function that sends it
 * messages, which are dropped once it is gone. The process ends with the service only; signals to
 * the process group arrive here too and are ignored.
 */
export function startProgram<Received, Sent extends object>(
  title: string,
  handleMessage: (message: Received) => void | Promise<void>,
): (message: Sent) => void {
  process.title = title;
  closeInheritedFiles();
  askSystem();
  process.on('message', (message) => {
    Promise.resolve(handleMessage(message as Received)).catch(die);
  });
  process.on('uncaughtException', die);
  process.on('disconnect', () => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => undefined);
  return (message) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
}

/**
 * Writes only the name and stack frames to the log of the service: the message may quote data of
 * the task.
 */
function die(fault: unknown): void {
  const frames = isNativeError(fault)
    ? (fault.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line))
    : [];
  writeSync(2, [isNativeError(fault) ? fault.name : typeof fault, ...frames, ''].join('\n'));
  process.exit(FAULT);
}
