import { resolve } from 'node:path';
import { ConfigError } from '../config/load';
import { EX_CONFIG, loadProcessConfig } from '../config/process-config';
import { copyService } from './copy-service';

const EX_USAGE = 64;

/** `npm run backup -- DIR`: copies the data of the service that this configuration describes, while it runs or when it is stopped. */
async function main(targets: readonly string[]): Promise<number> {
  if (targets.length !== 1 || targets[0] === '' || targets[0].startsWith('-')) return refuse(EX_USAGE, 'Usage: npm run backup -- DIRECTORY (a new or empty one)');
  try {
    const { config } = loadProcessConfig();
    if (config.data.mongodbUri !== null) return refuse(EX_CONFIG, 'MONGODB_URI is set: the data is in that MongoDB and is backed up with its own tools, such as mongodump.');
    const { target, documents, files } = await copyService(config.data.dir, resolve(targets[0]));
    process.stdout.write(`Copied ${config.data.dir} to ${target}: ${documents} documents, ${files} uploaded files; read back and complete.\n`);
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EX_CONFIG, error.message);
    return refuse(1, `No backup was made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refuse(code: number, message: string): number {
  process.stderr.write(`${message}\n`);
  return code;
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
