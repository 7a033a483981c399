import { existsSync } from 'node:fs';
import { loadConfig } from './load';

/** EX_CONFIG of sysexits.h: how a program of ours ends on a bad configuration. */
export const EX_CONFIG = 78;

/**
 * The configuration of this process: its environment, the `.env` file of the working directory, and the configuration file.
 * @throws ConfigError listing every problem
 */
export function loadProcessConfig(): ReturnType<typeof loadConfig> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return loadConfig(process.env, process.cwd());
}
