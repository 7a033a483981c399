import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, loadConfig } from '../config/load';
import { copyService } from './copy-service';

const USAGE = 64; // EX_USAGE, EX_CONFIG of sysexits.h
const CONFIG = 78;

/** `npm run backup -- DIR`: copies the data of the service that this configuration describes, while it runs or when it is stopped. */
async function main(targets: readonly string[]): Promise<number> {
  if (targets.length !== 1 || targets[0] === '' || targets[0].startsWith('-')) return refuse(USAGE, 'Usage: npm run backup -- DIRECTORY (a new or empty one)');
  if (existsSync('.env')) process.loadEnvFile('.env');
  try {
    const { config } = loadConfig(process.env, process.cwd());
    if (config.data.mongodbUri !== null) return refuse(CONFIG, 'MONGODB_URI is set: the data is in that MongoDB and is backed up with its own tools, such as mongodump.');
    const { target, documents, files } = await copyService(config.data.dir, resolve(targets[0]));
    process.stdout.write(`Copied ${config.data.dir} to ${target}: ${documents} documents, ${files} uploaded files; read back and complete.\n`);
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(CONFIG, error.message);
    return refuse(1, `No backup was made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refuse(code: number, message: string): number {
  process.stderr.write(`${message}\n`);
  return code;
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
