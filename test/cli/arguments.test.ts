import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HYPHA, hypha } from '../support/service/hypha';
import type { Circumstances, Ended } from '../support/service/hypha';
import { MAIN, ROOT, readyUrl, startProcess } from '../support/process';
import { longIt } from '../support/long';

const VERSION = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version;

describe('the command hypha', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hypha-cli-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const run = (args: readonly string[], more: Partial<Circumstances> = {}): Promise<Ended> =>
    hypha(args, { cwd: folder, ...more });

  longIt('prints its version and the help of every command', async () => {
    const [version, help] = await Promise.all([run(['--version']), run(['--help'])]);
    expect(version).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(help).toMatchObject({ code: 0, stderr: '' });
    const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) /gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help');
    expect(commands).toEqual(expect.arrayContaining(['start', 'backup', 'config']));
    for (const name of commands) {
      const own = await run([name, '--help']);
      expect(own).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`Usage: hypha ${name}`) as string,
        stderr: '',
      });
      const subs = [...own.stdout.matchAll(/^ {2}([a-z-]+) .*\S$/gm)]
        .map(([, sub]) => sub)
        .filter((sub) => sub !== 'help' && own.stdout.includes('Commands:'));
      for (const sub of subs.filter((text) => !text.startsWith('-'))) {
        expect(await run([name, sub, '--help'])).toMatchObject({
          code: 0,
          stdout: expect.stringContaining(`Usage: hypha ${name} ${sub}`) as string,
        });
      }
    }
  });

  it.each<[string, readonly string[], RegExp]>([
    ['no arguments', [], /^Usage: hypha/],
    ['a command group without a command', ['config'], /^Usage: hypha config/],
    ['an empty argument', [''], /unknown command ''/],
    ['a misspelled command', ['strat'], /unknown command 'strat'\n\(Did you mean start\?\)/],
    [
      'a misspelled sub-command',
      ['config', 'shwo'],
      /unknown command 'shwo'\n\(Did you mean show\?\)/,
    ],
    [
      'a misspelled option',
      ['config', 'show', '--jsn'],
      /unknown option '--jsn'\n\(Did you mean --json\?\)/,
    ],
    ['an extra argument', ['start', 'now'], /too many arguments for 'start'/],
    ['a missing argument', ['backup'], /missing required argument 'directory'/],
    ['a terminal escape sequence', ['\u001b[2Jstart'], /unknown command '\ufffd\[2Jstart'/],
    ['a property name of every object', ['__proto__'], /unknown command '__proto__'/],
    [
      'help for a misspelled sub-command',
      ['help', 'user', 'creat'],
      /unknown command 'creat'\n\(Did you mean create\?\)/,
    ],
    [
      'the help option of an unknown sub-command',
      ['config', 'nonsense', '-h'],
      /unknown command 'nonsense'/,
    ],
    ['a very long argument', ['x'.repeat(100_000)], /^error: unknown command 'x{100,600}…\n/],
  ])('rejects %s as a usage error and starts nothing', async (_what, args, says) => {
    // dist/main.js uses the same parser: a few cases suffice.
    for (const program of ['strat', ''].includes(args[0]) ? [undefined, MAIN] : [undefined]) {
      const ended = await run(args, { program });
      expect(ended).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(says) as string,
      });
      expect(ended.stderr).not.toMatch(/\n\s+at /);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<[readonly string[], RegExp]>([
    [['-v'], new RegExp(`^${VERSION}\n$`)],
    [['help'], /^Usage: hypha \[options\]/],
    [['help', 'backup'], /^Usage: hypha backup /],
    [['backup', '-h'], /^Usage: hypha backup /],
    [['user', 'help', 'create'], /^Usage: hypha user create /],
  ])('answers %j on stdout with exit code 0', async (given, says) => {
    expect(await run(given)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(says) as string,
      stderr: '',
    });
  });

  longIt('runs in a clone like with npx and prints only results to stdout', async () => {
    expect(await run(['--version'], { program: join(ROOT, 'scripts/hypha.mjs') })).toMatchObject({
      code: 0,
      stdout: `${VERSION}\n`,
    });
  });

  it('ends without an error when its reader closes stdout', async () => {
    const ended = await run(['config', 'show'], { started: (child) => child.stdout?.destroy() });
    expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  longIt('starts the service, which ends on a signal', async () => {
    const service = startProcess(
      { DATA_DIR: join(folder, 'data'), PORT: '0' },
      [process.execPath, HYPHA, 'start'],
      folder,
    );
    await readyUrl(service);
    service.child.stdout?.destroy();
    service.child.kill('SIGTERM');
    expect((await service.exit).code).toBe(0);
  });

  longIt('accepts commands that dist/main.js rejects', async () => {
    expect(await run(['backup', 'copy'], { program: MAIN })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Run `hypha backup` instead/) as string,
    });
    expect(await run(['--version'], { program: MAIN })).toMatchObject({
      code: 0,
      stdout: `${VERSION}\n`,
    });
    expect(existsSync(join(folder, 'runtime'))).toBe(false);
  });

  longIt(
    'checks the configuration and reports the file and every problem and warning',
    async () => {
      expect(await run(['config', 'check'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/is valid; 0 of \d+ settings/) as string,
        stderr: '',
      });
      writeFileSync(
        join(folder, 'a.yml'),
        'server:\n  port: eight\nhypha:\n  token:\n    secret: short\n  metrics:\n    token: short\n  log:\n    levle: info\n',
      );
      const env = { CONFIG_FILE: 'a.yml', DATA_DIR: 'here', HYPHA_LIMITS_DEPTH: '2' };
      const text = await run(['config', 'check'], { env });
      expect(text.code).toBe(1);
      expect(text.stdout).toMatch(/^problem: server\.port = "eight": /m);
      expect(text.stdout).toMatch(/^problem: HYPHA_LIMITS_DEPTH = "2": /m);
      expect(text.stdout).toMatch(/^problem: hypha\.metrics\.token = \*\*\*: /m);
      expect(text.stdout).toMatch(/^warning: hypha\.token\.secret is shorter than 32 bytes/m);
      expect(text.stdout).toMatch(/^warning: a\.yml: hypha\.log\.levle is not a key/m);
      const { code, stdout } = await run(['config', 'check', '--json'], { env });
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        ok: false,
        file: { path: join(folder, 'a.yml'), exists: true },
        problems: { length: 3 },
        warnings: { length: 2 },
      });
      expect(readdirSync(folder)).toEqual(['a.yml']);
    },
  );

  it('shows every setting with its source and hides secrets', async () => {
    writeFileSync(
      join(folder, 'application.yml'),
      'server.port: 9000\nhypha.token.secret: a-secret-that-is-long-enough-for-it\nhypha.cors.origins: [https://a.example, https://b.example]\n',
    );
    writeFileSync(
      join(folder, '.env'),
      'ADMIN_PASSWORD=out of the file\nHYPHA_TIME_ZONE=Europe/Berlin\n',
    );
    const env = {
      CONFIG_FILE: 'application.yml',
      MONGODB_URI: 'mongodb://user:word@host/x',
      HYPHA_FILES: 'folder',
      HOST: '0.0.0.0',
    };
    const { code, stdout, stderr } = await run(['config', 'show'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = new Map(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ {2,}/))
        .map(([key, value, source]) => [key, [value, source]]),
    );
    expect(rows.get('server.port')).toEqual([
      '9000',
      `${join(folder, 'application.yml')} server.port`,
    ]);
    expect(rows.get('server.address')).toEqual(['0.0.0.0', 'environment HOST']);
    expect(rows.get('hypha.time-zone')).toEqual(['Europe/Berlin', '.env HYPHA_TIME_ZONE']);
    expect(rows.get('hypha.cors.origins')?.[0]).toBe('https://a.example, https://b.example');
    expect(rows.get('hypha.limits.page')).toEqual(['100', 'default']);
    expect(rows.get('hypha.public-url')).toEqual(['(not set)', 'default']);
    for (const key of ['hypha.data.mongodb-uri', 'hypha.admin.password', 'hypha.token.secret'])
      expect(rows.get(key)?.[0]).toBe('***');
    const json = await run(['config', 'show', '--json'], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      settings: expect.arrayContaining([
        { key: 'server.address', value: '0.0.0.0', from: 'environment', name: 'HOST' },
      ]) as unknown,
    });
    for (const output of [stdout, json.stdout])
      expect(output).not.toMatch(/out of the file|a-secret|user:word/);
  });
});
