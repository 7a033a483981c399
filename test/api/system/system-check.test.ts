import { SharedCheck, up } from '../../../src/features/system/component-check';
import type { CheckResult } from '../../../src/features/system/component-check';
import { checkDisk, checkScheduler } from '../../../src/features/system/component-checks';
import { askService } from '../../../src/platform/control/client';
import { createLogger } from '../../../src/platform/log/logger';
import { VERSION } from '../../../src/platform/version';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { environment, READER } from '../../support/peers/ldap-directory';
import { startDirectory } from '../../support/peers/ldap-server';
import { movingClock } from '../../support/service/moving-clock';
import { startTcpServer } from '../../support/peers/tcp-server';
import { until } from '../../support/until';
import { socketOf } from '../../support/service/watch';
import { longIt } from '../../support/long';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function serviceWith(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startService({ env });
  opened.push(service);
  return service;
}

const QUERY = `{ systemCheck {
  status components { name title status isUsed error durationMs checkedAt details { name value } }
} }`;

describe('/actuator/health', () => {
  it('shows all components with details to administrators, and states only to others', async () => {
    const service = await serviceWith();
    const { token } = await service.userWith([]);
    const released = await service.api('GET', '/actuator/health');
    expect(released).toMatchObject({ status: 200, body: { status: 'UP' } });
    expect(await service.body('GET', '/api/actuator/health')).toEqual(released.body);
    const { components } = released.body;
    expect(components).toEqual({
      hypha: { status: 'UP', details: { version: VERSION } },
      mongoDB: { status: 'UP', details: { name: 'Embedded store', version: expect.any(String) } },
      mariaDB: { status: 'UP', details: { name: 'Embedded store', version: expect.any(String) } },
      redis: { status: 'UNKNOWN', details: { enabled: false } },
      disk: {
        status: 'UP',
        details: expect.objectContaining({ path: service.dataDir, free: expect.any(String) }),
      },
      scheduler: { status: 'UP', details: {} },
      email: { status: 'DOWN', details: { enabled: false, error: 'Host or sender is not set.' } },
      ldap: { status: 'UNKNOWN', details: { enabled: false } },
      polyglot: { status: 'UNKNOWN', details: { enabled: false } },
      runtime: {
        status: 'UP',
        details: expect.objectContaining({ version: process.versions.node, pid: process.pid }),
      },
      os: { status: 'UP', details: { name: expect.any(String), version: expect.any(String) } },
    });
    const states = (await service.api('GET', '/actuator/health', { token })).body.components;
    expect(states).toEqual(
      Object.fromEntries(
        Object.entries<any>(components).map(([name, { status }]) => [
          name,
          { status, details: {} },
        ]),
      ),
    );
    for (const path of ['/actuator/health/mongoDB', '/api/actuator/health/mongoDB']) {
      expect(await service.body('GET', path)).toEqual(components.mongoDB);
      expect(await service.body('GET', path, { token })).toEqual(states.mongoDB);
    }
    expect(await service.status('GET', '/actuator/health/mongoDB', { token: null })).toBe(401);
  });

  longIt(
    'opens one connection for a flood of requests, and answers others while it waits',
    async () => {
      let connections = 0;
      const mail = await startTcpServer(() => {
        connections += 1;
      });
      opened.push(mail);
      const service = await serviceWith({
        SPRING_MAIL_HOST: '127.0.0.1',
        SPRING_MAIL_PORT: String(mail.port),
        SPRING_MAIL_HYPHA_FROM: 'a@hypha.test',
      });
      const flood = Array.from({ length: 100 }, () => service.api('GET', '/actuator/health'));
      await until(() => connections > 0);
      const database = await service.api('GET', '/actuator/health/mongoDB');
      expect([database.status, database.body.status]).toEqual([200, 'UP']);
      // They are answered by the time limit of the check.
      for (const { status, body } of await Promise.all(flood))
        expect([status, body.status, body.components.email]).toEqual([
          200,
          'DOWN',
          {
            status: 'DOWN',
            details: expect.objectContaining({ error: expect.any(String) as string }),
          },
        ]);
      expect(connections).toBe(1);
    },
  );

  it('reports a directory that accepts the bind account, and why another one does not', async () => {
    const directory = await startDirectory([READER]);
    opened.push(directory);
    const closed = 'ldap://127.0.0.1:9';
    const service = await serviceWith(environment(`${directory.url} ${closed}`));
    expect(await service.body('GET', '/actuator/health/ldap')).toEqual({
      status: 'UP',
      details: { location: directory.url, warning: expect.stringContaining('127.0.0.1:9') },
    });
    const refused = await serviceWith({
      ...environment(directory.url),
      SPRING_SECURITY_LDAP_PASSWORD: 'wrong',
    });
    const { body } = await refused.api('GET', '/actuator/health/ldap');
    expect(body).toEqual({
      status: 'DOWN',
      details: { error: expect.stringContaining(`"${READER.dn}" was refused`) },
    });
  });
});

describe('systemCheck', () => {
  it('returns components, as a query and as a subscription, with details for administrators', async () => {
    const service = await serviceWith();
    const { token } = await service.userWith(['APP:READ']);
    const systemCheck = await service.field(QUERY);
    expect(systemCheck.status).toBe('UP');
    expect(systemCheck.components).toContainEqual({
      name: 'email',
      title: 'E-mail',
      status: 'DOWN',
      isUsed: false,
      error: 'Host or sender is not set.',
      durationMs: expect.any(Number),
      checkedAt: expect.any(String),
      details: [{ name: 'enabled', value: 'false' }],
    });
    for (const [caller, hasDetails] of [
      [service.adminToken, true],
      [token, false],
    ] as const) {
      const client = socketOf(service, caller);
      const events = client.iterate<any>({ query: `subscription ${QUERY}` });
      const { value } = await events.next();
      const { components } = value.data.systemCheck;
      expect(components).toHaveLength(systemCheck.components.length);
      expect(components.some(({ details }: any) => details.length > 0)).toBe(hasDetails);
      expect(components.some(({ error }: any) => error !== null)).toBe(hasDetails);
      await client.dispose();
    }
  });

  it('is sent to operators on the machine of the service', async () => {
    const service = await serviceWith();
    const answer = await askService(service.dataDir, {
      command: 'system check',
      input: {},
      systemUser: 'root',
    });
    expect(answer).toMatchObject({ done: true, result: { status: 'UP' } });
  });
});

describe('a check', () => {
  const log = createLogger({ log: { level: 'silent' } });
  const shared = (run: () => Promise<CheckResult>) =>
    new SharedCheck(
      { name: 'peer', title: 'Peer', run },
      { clock: movingClock(), log, times: { limitMs: 20, keepMs: 0 } },
    );

  it('that ignores its time limit is reported, and not started again while it goes on', async () => {
    let starts = 0;
    let answer: (result: CheckResult) => void = () => undefined;
    const check = shared(() => {
      starts += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    for (let time = 0; time < 3; time += 1)
      expect(await check.read()).toMatchObject({
        status: 'DOWN',
        error: 'It did not answer within 0.02 seconds.',
      });
    expect(starts).toBe(1);
    answer(up({}));
    await new Promise(setImmediate);
    const next = check.read();
    answer(up({ version: '2' }));
    expect(await next).toMatchObject({ status: 'UP', error: null, details: { version: '2' } });
    expect(starts).toBe(2);
  });

  it('that fails is down, with the reason in the log', async () => {
    const lines: string[] = [];
    const check = new SharedCheck(
      { name: 'peer', title: 'Peer', run: () => Promise.reject(new Error('the reason')) },
      {
        clock: movingClock(),
        log: createLogger({ log: { level: 'error' } }, { write: (line) => lines.push(line) }),
        times: { limitMs: 60_000, keepMs: 0 },
      },
    );
    expect((await check.read()).error).toBe(
      'The check failed. The log of the service has the reason.',
    );
    expect(lines.join()).toContain('the reason');
  });

  it('of the scheduler is down if a schedule was not started for a minute', async () => {
    const clock = movingClock();
    const dueAt = clock.now();
    const schedules = { earliestDueAt: () => Promise.resolve(dueAt) };
    clock.forward(60_000);
    expect((await checkScheduler(schedules, clock)).status).toBe('UP');
    clock.forward(1);
    expect(await checkScheduler(schedules, clock)).toMatchObject({
      status: 'DOWN',
      error: `A schedule is due since ${dueAt.toISOString()} and was not started.`,
    });
  });

  it('of a data directory that is missing is down', async () => {
    expect(await checkDisk('/nowhere')).toMatchObject({
      status: 'DOWN',
      error: expect.stringContaining('/nowhere cannot be read') as string,
    });
  });
});
