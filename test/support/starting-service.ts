import { takePort } from '../../src/port';
import { createLogger } from '../../src/platform/log/logger';
import { documentedErrors } from '../../src/platform/http/error-body';
import { answerTo } from './harness';
import type { TestService } from './harness';
import { configOf } from './rest-door';

/** A service that has its port, and never comes to its store. */
export type StartingService = Pick<TestService, 'api' | 'close'>;

/** Takes a free port and goes no further. */
export async function startingService(): Promise<StartingService> {
  const config = configOf({ PORT: '0' });
  const port = await takePort(config, createLogger({ log: { level: 'silent' } }), documentedErrors);
  return {
    api: (method, path, { token = null, ...options } = {}) =>
      answerTo(`http://127.0.0.1:${port.number}`, method, path, token, options),
    close: () => port.http.stop(),
  };
}
