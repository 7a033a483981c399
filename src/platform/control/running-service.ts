import { StoreError } from '@hypha/embedded-mongo';
import type { Config } from '../../config/config';
import { askService } from './client';
import { STATUS_COMMAND } from './command';

const IS_IN_USE_CODE = 20;

/** Returns whether the error means that another process holds the data directory. */
export const isInUse = (error: unknown): error is StoreError =>
  error instanceof StoreError &&
  error.code === IS_IN_USE_CODE &&
  error.message.includes('in use by');

/** Returns whether the error means that the file of the store is damaged. */
export const isOfDamagedStore = (error: unknown): boolean =>
  error instanceof StoreError && error.codeName === 'DamagedData';

/** What the operator does about a damaged store. */
export const RESTORE_HINT =
  'With the service stopped, `hypha restore BACKUP --replace` does it and keeps the damaged directory.';

const isPortTaken = (error: unknown): boolean =>
  error instanceof Error &&
  (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';

/** @throws Error with a message for the operator: a service runs on the data directory */
export async function requireStopped(dir: string, command: string): Promise<void> {
  const answer = await askService(dir, { command: STATUS_COMMAND, input: {}, systemUser: '' });
  if (answer === null) return;
  const pid = answer.done ? ` (pid ${String(answer.result.pid)})` : '';
  throw new Error(`The service of ${dir} runs${pid}. Stop it before \`hypha ${command}\`.`);
}

/**
 * Explains a failed start by a service that runs on the same data directory.
 * @returns a message for the operator; null if there is another reason or no service responds
 */
export async function explainByRunningService(
  { data: { dir } }: Config,
  error: unknown,
): Promise<string | null> {
  if (!isPortTaken(error) && !isInUse(error)) return null;
  try {
    const answer = await askService(dir, { command: STATUS_COMMAND, input: {}, systemUser: '' });
    if (answer === null) return null;
    // A service of an earlier version does not know the command.
    const details = answer.done
      ? ` (pid ${String(answer.result.pid)}, version ${String(answer.result.version)}, ${String(answer.result.url)})`
      : '';
    return `Hypha is already running on the data in ${dir}${details}. Use that one or stop it first; a second service needs its own DATA_DIR and PORT.`;
  } catch {
    return null;
  }
}
