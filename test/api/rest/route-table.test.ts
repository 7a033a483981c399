import { testService } from '../../support/service/harness';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly needs: string;
  readonly codes: Readonly<Record<string, string[]>>;
}

const service = testService();
let operations: Operation[];
let nobody: string;

beforeAll(async () => {
  const { body } = await service.api('GET', '/openapi.json');
  operations = Object.entries<any>(body.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '4711'),
      needs: operation['x-needs'],
      codes: Object.fromEntries(
        Object.entries<any>(operation.responses).map(([status, response]) => [
          status,
          response['x-codes'] ?? [],
        ]),
      ),
    })),
  );
  nobody = (await service.userWith([])).token;
});

/** The answers of an operation to users without permission, in addition to its own codes. */
async function refusals(chosen: readonly Operation[], token: string | null): Promise<void> {
  for (const { name, method, path, codes } of chosen) {
    const answer = await service.api(method, path, { token });
    expect([name, answer.body]).toEqual([
      name,
      {
        timestamp: expect.stringMatching(/\+0000$/),
        status: answer.status,
        error: expect.any(String),
        message: 'ACCESS_DENIED',
        success: 'false',
        path,
      },
    ]);
    expect([name, codes[answer.status]]).toEqual([name, expect.arrayContaining(['ACCESS_DENIED'])]);
  }
}

describe('every REST operation', () => {
  it('declares its permission, and the public ones are listed', () => {
    expect(operations.length).toBeGreaterThan(40);
    expect(operations.filter(({ needs }) => typeof needs !== 'string')).toEqual([]);
    const open = new Set(
      operations
        .filter(({ needs }) => needs === 'public')
        .map(({ path }) => path.replace(/^\/api/, '')),
    );
    expect([...open].sort()).toEqual([
      '/auth/forgot-password',
      '/auth/reset-password',
      '/config.json',
      '/healthz',
      '/login',
      '/oidc/info',
      '/openapi.json',
      '/readyz',
      '/storage/files/4711',
      '/totp-validate',
      '/v3/api-docs',
      '/webhook/execute/4711',
      '/webhook/health',
      '/websocket/info',
      '/ws/info',
    ]);
  });

  it('rejects an unauthenticated client before it reads the input, with the documented status', async () => {
    await refusals(
      operations.filter(({ needs }) => needs !== 'public'),
      null,
    );
    await refusals(
      operations.filter(({ needs }) => needs !== 'public'),
      'Bearer nonsense',
    );
  });

  it('rejects a member of a group without permissions', async () => {
    await refusals(
      operations.filter(({ needs }) => !['public', 'authenticated'].includes(needs)),
      nobody,
    );
  });

  it('answers an unknown method with 405 and the allowed methods', async () => {
    for (const { name, path } of operations) {
      const answer = await service.api('PROPFIND', path);
      expect([name, answer.status, answer.body.message]).toEqual([name, 405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow')?.split(', ')).toContain(name.split(' ')[0]);
    }
  });

  it('answers unreadable input with a documented code and never with an internal error', async () => {
    const bodies = [
      '{',
      '[]',
      '"text"',
      'null',
      '{"enhanceId":{}}',
      '{"identifiers":"x","name":5,"email":[],"password":{},"components":3,"userGroup":1.5}',
    ];
    const readers = operations.filter(
      (one) =>
        one.needs !== 'public' &&
        ['POST', 'PUT', 'PATCH'].includes(one.method) &&
        !one.path.endsWith('/logout'),
    );
    for (const { name, method, path, codes } of readers) {
      for (const body of bodies) {
        const answer = await service.api(method, path, { body });
        if (answer.status < 300) continue;
        expect([name, body, answer.body]).toEqual([
          name,
          body,
          expect.objectContaining({
            status: answer.status,
            error: expect.any(String),
            success: 'false',
          }),
        ]);
        expect([name, body, answer.body.message]).not.toEqual([
          name,
          body,
          'INTERNAL_SERVER_ERROR',
        ]);
        expect([name, Object.keys(codes)]).toEqual([
          name,
          expect.arrayContaining([String(answer.status)]),
        ]);
      }
    }
  });
});
