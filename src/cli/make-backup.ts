import { resolve } from 'node:path';
import { ConfigError } from '../config/load';
import { loadProcessConfig } from '../config/process-config';
import { copyService } from './copy-service';
import { EXIT } from '../platform/exit-codes';
import { print, refuse, sentenceOf } from './output';

/** Copies the data of the configured service, running or stopped. Returns the exit code. */
export async function makeBackup(directory: string): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    if (config.data.mongodbUri !== null)
      return refuse(
        EXIT.configuration,
        'MONGODB_URI is set: the data is in that MongoDB and is backed up with its own tools, such as mongodump.',
      );
    const { target, documents, files } = await copyService(config.data.dir, resolve(directory));
    print(
      `Copied ${config.data.dir} to ${target}: ${documents} documents, ${files} uploaded files; read back and complete.`,
    );
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `No backup was made: ${sentenceOf(error)}`);
  }
}
