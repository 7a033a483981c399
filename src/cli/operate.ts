import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config';
import { askService } from '../platform/control/client';
import type { ControlAnswer, Report } from '../platform/control/command';
import { isInUse } from '../platform/control/running-service';

/** Maximum wait for a service that is starting or stopping, ms. */
const MAX_WAIT_MS = 30_000;
const RETRY_MS = 100;
const WHILE_RUNNING = ', or while the service runs';

/**
 * Runs a command in the service that uses the data directory, or in this process if none runs.
 * Waits for a service that is starting or stopping, and for other commands.
 * @throws Error with a message for the operator
 */
export async function operate(
  config: Config,
  command: string,
  input: object,
  report?: Report,
): Promise<ControlAnswer> {
  const request = { command, input, systemUser: systemUser() };
  for (const until = Date.now() + MAX_WAIT_MS; ;) {
    const answer = await askService(config.data.dir, request, report);
    if (answer !== null) return answer;
    if (config.data.mongodbUri === null) requireOwnData(config.data.dir);
    else if (existsSync(config.data.dir)) requireOwner(config.data.dir, WHILE_RUNNING);
    try {
      // Loaded late: not needed if a running service performs the command.
      return await (await import('./perform-here.js')).performHere(config, request, report);
    } catch (error) {
      if (!isInUse(error)) throw error;
      if (Date.now() > until)
        throw new Error(
          `${error.message.split(';')[0]}, which accepts no commands. It may be starting or stopping: check its log and try again.`,
          { cause: error },
        );
      await pause(RETRY_MS);
    }
  }
}

/**
 * Requires an existing store that this user may write: files of another user would be unreadable
 * for the service, and a mistyped directory would be created.
 */
function requireOwnData(dir: string): void {
  const file = join(dir, 'data.mdb');
  if (!existsSync(file))
    throw new Error(
      `There is no data in ${dir}. Set DATA_DIR to the value of the service. For a new installation, start the service once first.`,
    );
  requireOwner(dir, WHILE_RUNNING);
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new Error(
      `This user may not write to ${file}: run the command as the user of the service.`,
      { cause: error },
    );
  }
}

/** Rejects root for the directory of another user: it would create files of root there. */
export function requireOwner(dir: string, otherWay = ''): void {
  const { uid } = statSync(dir);
  if (process.getuid?.() === 0 && uid !== 0)
    throw new Error(
      `${dir} belongs to the user with the id ${uid}: run the command as that user${otherWay}.`,
    );
}

export function systemUser(): string {
  const behind = process.env.SUDO_USER;
  return behind === undefined || behind === ''
    ? ownName()
    : `${ownName()}, sudo by ${behind}`.slice(0, 200);
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `id ${process.getuid?.() ?? '?'}`;
  }
}
