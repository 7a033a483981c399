import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config';
import { askService } from '../platform/control/client';
import type { ControlAnswer } from '../platform/control/command';
import { isInUse } from './running-service';

/** How long a service that starts or stops is waited for, ms. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 100;

/**
 * Has a command carried out: by the service that runs on the data directory, else by this process on the store of the service. One that
 * is starting or stopping, or another command, is waited for.
 * @throws Error with a sentence for the operator
 */
export async function operate(
  config: Config,
  command: string,
  input: object,
): Promise<ControlAnswer> {
  const asked = { command, input, systemUser: systemUser() };
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const answer = await askService(config.data.dir, asked);
    if (answer !== null) return answer;
    if (config.data.mongodbUri === null) requireOwnData(config.data.dir);
    try {
      // Late: whoever has a service to ask needs none of it.
      return await (await import('./perform-here.js')).performHere(config, asked);
    } catch (error) {
      if (!isInUse(error)) throw error;
      if (Date.now() > until)
        throw new Error(
          `${error.message.split(';')[0]}, which takes no commands. It may be starting or stopping: look at its log, and try again.`,
          { cause: error },
        );
      await pause(LOOK_AGAIN_MS);
    }
  }
}

/** What a command makes in a directory that is not its own, the service could not read; and a directory of the wrong name would be new. */
function requireOwnData(dir: string): void {
  const file = join(dir, 'data.mdb');
  if (!existsSync(file))
    throw new Error(
      `There is no data in ${dir}. Give DATA_DIR as the service has it; of a new installation, start the service once.`,
    );
  const { uid } = statSync(dir);
  if (process.getuid?.() === 0 && uid !== 0)
    throw new Error(
      `${dir} belongs to the user with the id ${uid}: run the command as that user, or while the service runs.`,
    );
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new Error(
      `This user may not write to ${file}: run the command as the user of the service.`,
      { cause: error },
    );
  }
}

/** Who gives the command, for the audit. */
function systemUser(): string {
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
