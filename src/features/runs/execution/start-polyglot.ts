import { join } from 'node:path';
import type { Config } from '../../../config/config';
import type { Logger } from '../../../platform/log/logger';
import { launchEngine } from '../../../platform/scripts/launch-engine';
import type { LaunchedEngine } from '../../../platform/scripts/launch-engine';

/** Relative to the data directory. */
const LOG_FILE = 'logs/polyglot.log';

/** Starts the polyglot engine if the configuration asks for it, otherwise returns null. */
export function startPolyglot(
  { scripts, data }: Pick<Config, 'scripts' | 'data'>,
  log: Logger,
): LaunchedEngine | null {
  const launch = scripts.polyglot?.launch ?? null;
  if (scripts.polyglot === null || launch === null) return null;
  const { isLogged, ...how } = launch;
  return launchEngine(
    scripts.polyglot,
    { ...how, logFile: isLogged ? join(data.dir, LOG_FILE) : null },
    log,
  );
}
