import { existsSync } from 'node:fs';
import { ConfigError, loadConfig, readConfig } from './load';
import type { ConfigReading } from './load';

/**
 * Returns the configuration of this process, from its environment, the `.env` file of the working
 * directory, and the configuration file.
 * @throws ConfigError with all problems
 */
export function loadProcessConfig(): ReturnType<typeof loadConfig> {
  takeEnvironmentFile();
  return loadConfig(process.env, process.cwd());
}

/**
 * Like `loadProcessConfig`, but returns the problems, and the source of each value.
 * `fromEnvironmentFile`: names that `.env` has set.
 */
export function readProcessConfig(): ConfigReading & {
  readonly fromEnvironmentFile: ReadonlySet<string>;
} {
  const before = new Set(Object.keys(process.env));
  const problems: string[] = [];
  try {
    takeEnvironmentFile();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
  const reading = readConfig(process.env, process.cwd());
  const fromEnvironmentFile = new Set(Object.keys(process.env).filter((name) => !before.has(name)));
  return {
    ...reading,
    config: problems.length > 0 ? null : reading.config,
    problems: [...problems, ...reading.problems],
    fromEnvironmentFile,
  };
}

function takeEnvironmentFile(): void {
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    throw new ConfigError([
      `.env: it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    ]);
  }
}
