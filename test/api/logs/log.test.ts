import { createLogger } from '../../../src/platform/log/logger';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ log: { level: 'debug' } }, { write: (line) => lines.push(line) }));
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

describe('the logger', () => {
  it('masks secret fields by name at any depth', () => {
    const line = logged((log) =>
      log.info(
        {
          user: {
            email: 'ada@example.com',
            password: 'hunter2',
            details: [{ apiKey: 'k3y', Authorization: ['a11'] }],
          },
          settings: { tokenSecret: 's3cret', hasPassword: true, password: null },
        },
        'changed',
      ),
    );
    expect(line).not.toMatch(/hunter2|k3y|a11|s3cret/);
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      msg: 'changed',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      user: {
        email: 'ada@example.com',
        password: '***',
        details: [{ apiKey: '***', Authorization: '***' }],
      },
      settings: { tokenSecret: '***', hasPassword: true, password: null },
    });
  });

  it('masks tokens and passwords in texts and stacks', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
    const error = new Error(
      `calling mongodb://app:pa55word@db:27017/hypha with Bearer abc.def-123 failed`,
      { cause: new Error(`token ${token}`) },
    );
    const line = logged((log) =>
      log.error({ err: error, url: 'https://me:w0rd@example.com/x' }, `sent ${token}`),
    );
    expect(line).not.toMatch(/pa55word|abc\.def|eyJ|w0rd/);
    expect(JSON.parse(line).err).toMatchObject({
      type: 'Error',
      message: 'calling mongodb://***@db:27017/hypha with Bearer *** failed',
      cause: { message: 'token ***' },
    });
    expect(JSON.parse(line).err.stack).toContain('log.test');
  });

  it('truncates long values before masking', () => {
    const long = 'Bearer '.repeat(100_000);
    const line = logged((log) =>
      log.warn(
        {
          text: long,
          [long]: long,
          list: Array.from({ length: 90 }, () => long),
          err: new Error(long),
        },
        long,
      ),
    );
    expect(line.length).toBeLessThan(100_000);
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      text: expect.stringMatching(/… \(700000 characters\)$/),
      msg: expect.stringMatching(/… \(700000 characters\)$/),
    });
  });

  it('keeps the message formatting of pino', () => {
    expect(JSON.parse(logged((log) => log.info('%s of %d', 'one', 2)))).toMatchObject({
      msg: 'one of 2',
    });
  });

  it('writes circular values and line breaks as one line', () => {
    const loop: Record<string, unknown> = { name: 'a\nb' };
    loop.self = loop;
    const line = logged((log) => log.info({ loop, bytes: Buffer.alloc(10) }, 'two\nlines'));
    expect(line.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(line)).toMatchObject({ bytes: '[10 bytes]', msg: 'two\nlines' });
  });
});
