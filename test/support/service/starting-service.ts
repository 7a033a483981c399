import { takePort } from '../../../src/port';
import { createLogger } from '../../../src/platform/log/logger';
import { documentedErrors } from '../../../src/platform/http/error-body';
import { answerTo } from './harness';
import type { TestService } from './harness';
import { configOf } from '../calls/rest-transport';

/** A service that listens but never reaches its store. */
type StartingService = Pick<TestService, 'api' | 'close'>;

export async function startingService(): Promise<StartingService> {
  const config = configOf({ PORT: '0' });
  const port = await takePort(
    config,
    createLogger({ log: { level: 'silent' } }),
    () => documentedErrors,
  );
  return {
    api: (method, path, { token = null, ...options } = {}) =>
      answerTo(`http://127.0.0.1:${port.number}`, method, path, token, options),
    close: () => port.stop(),
  };
}
