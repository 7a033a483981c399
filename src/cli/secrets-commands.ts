import { firstLineOfInput } from './input';
import { operate } from './operate';
import { messageOf, print, progressPrinter, refuse, printToStderr } from './output';
import { ConfigError, loadProcessConfig } from '../config/load';
import { EXIT } from '../platform/exit-codes';

const FAILURE = 'The key was not changed';

/**
 * `hypha secrets rekey`: encrypts all secrets with a new master password, which is read from stdin,
 * or with the key file. Returns the exit code.
 */
export async function rekeySecrets(toKeyFile: boolean): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    const masterPassword = toKeyFile ? null : await firstLineOfInput('New master password');
    const answer = await operate(
      config,
      'secrets rekey',
      { masterPassword },
      progressPrinter('records'),
    );
    if (!answer.done)
      return refuse(EXIT.failed, [`${FAILURE}: ${answer.message}`, ...answer.problems].join('\n'));
    print(
      `re-encrypted: ${String(answer.result.records)} records with ${toKeyFile ? 'the key file' : 'the new master password'}`,
    );
    printToStderr(
      `The previous ${config.connector.masterPassword === null ? 'key file' : 'master password'} opens nothing any more. ${
        toKeyFile
          ? 'Remove HYPHA_CONNECTOR_MASTER_PASSWORD'
          : 'Set HYPHA_CONNECTOR_MASTER_PASSWORD to the new one'
      } and restart the service.`,
    );
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(
      EXIT.failed,
      `The key change is not complete: ${messageOf(error)}\nIf it was interrupted, run the command again. Until it is complete, the previous and the new master password both work.`,
    );
  }
}
