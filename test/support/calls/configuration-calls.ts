import { refusedCall } from './refused';
import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import { MASTER_PASSWORD } from '../service/master-password';
import type { Call, CallRefusal, Calls } from './rest-calls';

const PATH = '/api/application-config';
const headers = { 'X-Master-Password': MASTER_PASSWORD };
let changes = 0;
const change = (): Call => ({
  path: PATH,
  headers,
  body: { fields: [{ path: 'hypha.log.level', value: ['info', 'warn'][changes++ % 2] }] },
});

/** Successful requests for the configuration file. */
export function configurationCalls(service: TestService): Calls {
  /** Name of a backup; the first change creates the file, the second the backup. */
  const backup = async (): Promise<string> => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { body } = await service.api('PATCH', PATH, change());
      if (typeof body.backup === 'string') return body.backup as string;
    }
    throw new Error('No change made a backup.');
  };
  return {
    'GET /api/application-config': () => ({ path: PATH, headers }),
    'PATCH /api/application-config': change,
    'GET /api/application-config/backups': () => ({ path: `${PATH}/backups`, headers }),
    'GET /api/application-config/backups/{name}': async () => ({
      path: `${PATH}/backups/${await backup()}`,
      headers,
    }),
    'POST /api/application-config/backups/{name}/restore': async () => ({
      path: `${PATH}/backups/${await backup()}/restore`,
      headers,
      body: {},
    }),
  };
}

export const CONFIGURATION_REFUSALS: readonly CallRefusal[] = [
  refusedCall(403, 'MASTER_PASSWORD_WRONG', `GET ${PATH}`),
  refusedCall(403, 'ACCESS_DENIED', `GET ${PATH}`, { token: null }),
  refusedCall(400, 'BAD_REQUEST', `PATCH ${PATH}`, { headers, body: {} }),
  refusedCall(400, 'CONFIG_INVALID', `PATCH ${PATH}`, {
    headers,
    body: { fields: [{ path: 'hypha.time-zone', value: 'Mars' }] },
  }),
  refusedCall(400, 'SECRET_NOT_STORED', `PATCH ${PATH}`, {
    headers,
    body: { fields: [{ path: 'hypha.new', value: '***' }] },
  }),
  refusedCall(409, 'CONFIG_FILE_CHANGED', `PATCH ${PATH}`, {
    headers,
    body: { fields: [], revision: 'outdated' },
  }),
  refusedCall(404, 'CONFIG_BACKUP_NOT_FOUND', `GET ${PATH}/backups/{name}`, { headers }, 'none'),
  refusedCall(
    404,
    'CONFIG_BACKUP_NOT_FOUND',
    `POST ${PATH}/backups/{name}/restore`,
    { headers, body: {} },
    'none',
  ),
];

/** A wrong master password on each route, and the limit of attempts. */
export async function* masterPasswordRefusals(service: TestService): AsyncGenerator<CallRefusal> {
  const wrong = { 'X-Master-Password': 'wrong' };
  for (const [described, call] of Object.entries(configurationCalls(service))) {
    const [method = '', path = ''] = described.split(' ');
    const user = { email: `${unique('admin')}@hypha.test`, password: 'a good password' };
    await service.api('POST', '/api/user', { body: { ...user, userGroup: 1 } });
    const token = await service.login(user.email, user.password);
    const tried = { ...(await call()), token, headers: wrong };
    yield [method, path, tried, 403, 'MASTER_PASSWORD_WRONG'];
    for (let failures = 1; failures < 5; failures += 1)
      await service.api('GET', PATH, { token, headers: wrong });
    yield [method, path, { ...tried, headers }, 429, 'TOO_MANY_ATTEMPTS'];
  }
}
