import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { engines } from '../../package.json';
import { built } from '../support/service/built';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { MAIN, ROOT, Running, dyingWithTheRun, readyUrl } from '../support/process';

let dir: string;
let running: Running[];
const NOBODY = 65_534;
const BUILT = expect.stringMatching(
  /^Building, as after each change of the sources:\n(?: +\d+\.\d s  .+\n){5}$/,
);

function run(
  args: readonly string[],
  {
    command = process.execPath,
    env = {},
    uid,
  }: { command?: string; env?: Record<string, string>; uid?: number } = {},
): Running {
  const child = new Running(
    spawn(command, args, {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(uid !== undefined && { uid, gid: uid }),
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        npm_config_update_notifier: 'false',
        ...dyingWithTheRun,
        ...env,
      },
    }),
  );
  running.push(child);
  return child;
}
const ended = async (child: Running): Promise<[number | null, string]> => [
  (await child.exit).code,
  child.output,
];
const build = (...args: string[]): Running => run(['scripts/build.mjs', ...args]);
const copy = (...names: readonly string[]): void => {
  for (const name of names) cpSync(join(ROOT, name), join(dir, name), { recursive: true });
};
/** Writes a service that prints the words and exits. */
const saying = (words: string): void =>
  writeFileSync(
    join(dir, 'src/serve.ts'),
    `export async function serve(): Promise<number> { console.log('${words}'); return 0; }\n`,
  );
const remains = (): string[] =>
  readdirSync(dir).filter((name) => name.includes('dist') && name !== 'dist');
/** Preloads a file that reports an older version of Node. */
const olderNode = (): Record<string, string> => {
  const preloaded = join(dir, 'older-node.cjs');
  writeFileSync(
    preloaded,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } });",
  );
  return { NODE_OPTIONS: `--require ${preloaded}` };
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-build-'));
  chmodSync(dir, 0o755);
  running = [];
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
});
afterEach(async () => {
  for (const { child, exit } of running) {
    if (child.exitCode === null && child.signalCode === null)
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    await exit;
  }
  rmSync(dir, { recursive: true, force: true });
});

describe('the build', () => {
  beforeEach(() => {
    copy(
      'scripts',
      'packages',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      '.swcrc',
      'dashboard',
      'src/pages',
      'src/features/invokers/shipped',
    );
    copy(
      'src/main.ts',
      'src/start.ts',
      'src/bundle.ts',
      'src/required-node.ts',
      'src/platform/heap-growth.ts',
    );
    rmSync(join(dir, 'src/pages/client'), { recursive: true });
    for (const name of readdirSync(join(dir, 'src/pages')))
      if (name.endsWith('.ts')) rmSync(join(dir, 'src/pages', name));
    // The real package and the files of other packages take most of the time of a build.
    writeFileSync(
      join(dir, 'src/pages/assets.ts'),
      `export const READY_CODINGS = [['gzip', '.gz']];
      export const VENDOR_FILES: { path: string }[] = [];
      export const installedFile = ({ path }: { path: string }): string => path;`,
    );
    writeFileSync(join(dir, 'src/app.ts'), 'export const writeOpenApi = (): void => undefined;\n');
    mkdirSync(join(dir, 'src/features/runs/execution/pool'), { recursive: true });
    writeFileSync(join(dir, 'src/features/runs/execution/pool/run-child.ts'), 'export {};\n');
    rmSync(join(dir, 'packages/embedded-mongo/src'), { recursive: true });
    mkdirSync(join(dir, 'packages/embedded-mongo/src'));
    writeFileSync(join(dir, 'packages/embedded-mongo/src/index.ts'), 'export {};\n');
    saying('it runs');
  });

  it('runs once for concurrent calls, again after a change, and keeps the previous result when it is killed or fails', async () => {
    const files = (): string[] =>
      readdirSync(join(dir, 'dist'), { recursive: true }).map(String).sort();
    const outcomes = await Promise.all([1, 2, 3].map(() => ended(build('--if-needed'))));
    expect(outcomes.map(([code]) => code)).toEqual([0, 0, 0]);
    expect(outcomes.map(([, output]) => output).sort()).toEqual(['', '', BUILT]);
    expect(remains()).toEqual([]);
    const all = files();

    mkdirSync(join(dir, 'src/main/resources'), { recursive: true });
    writeFileSync(join(dir, 'src/main/resources/application.yml'), 'server.port: 1');
    writeFileSync(join(dir, 'application.yml'), 'server.port: 2');
    expect(await ended(build('--if-needed'))).toEqual([0, '']);

    saying('it runs again');
    const css = 'body {}\n'.repeat(1_000);
    writeFileSync(join(dir, 'src/pages/public/page.css'), css);
    const killed = build('--if-needed');
    while (!existsSync(join(dir, '.dist-new/serve.js'))) await pause(5);
    killed.child.kill('SIGKILL');
    await killed.exit;
    expect([remains(), files()]).toEqual([['.dist-new'], all]);
    expect(await ended(build('--if-needed'))).toEqual([0, BUILT]);
    expect([remains(), files()]).toEqual([[], all]);
    expect(readFileSync(join(dir, 'dist/pages/public/page.css'), 'utf8')).toBe(css);

    writeFileSync(join(dir, 'src/wrong.ts'), 'export const wrong: = 1;\n');
    expect(await ended(build('--if-needed'))).toEqual([
      1,
      expect.stringMatching(
        /^Building, .*:\n.* translate the sources\n.*Unexpected token[^]*src\/wrong.ts:1:1/,
      ),
    ]);
    expect([remains(), ...(await ended(run(['dist/main.js'])))]).toEqual([
      [],
      0,
      'it runs again\n',
    ]);
  });

  it('leaves nothing behind on SIGTERM', async () => {
    const stopped = build();
    await stopped.says(/Building/);
    while (!existsSync(join(dir, '.dist-new'))) await pause(2);
    stopped.child.kill('SIGTERM');
    expect((await stopped.exit).code).toBeGreaterThan(128);
    expect([remains(), existsSync(join(dir, 'dist'))]).toEqual([[], false]);
  });

  it('reports in one sentence what is missing', async () => {
    rmSync(join(dir, 'node_modules'));
    expect(await ended(build('--if-needed'))).toEqual([
      1,
      expect.stringMatching(
        /^There is no build in \S+dist, and the compiler is not installed: run `npm ci && npm run build` once.*\n$/,
      ),
    ]);
    rmSync(join(dir, 'src'), { recursive: true });
    expect(await ended(build('--if-needed'))).toEqual([
      1,
      expect.stringMatching(
        /^There is no build in \S+dist, and no src\/ to make one of: copy a built dist\/ here\.\n$/,
      ),
    ]);
  });

  it('rejects an older Node in one sentence', async () => {
    expect(await ended(run(['scripts/build.mjs'], { env: olderNode() }))).toEqual([
      1,
      expect.stringMatching(/^Hypha needs Node 20\.19 or newer; this is 20\.18\.3 \(.*\)\.\n$/),
    ]);
    expect(engines.node).toBe('>=20.19');
  });

  it('names the directory that it cannot write to', async () => {
    chmodSync(dir, 0o555);
    const uid = process.getuid?.() === 0 ? NOBODY : undefined;
    expect(await ended(run(['scripts/build.mjs'], { uid, env: { NODE_OPTIONS: '' } }))).toEqual([
      1,
      expect.stringMatching(/^The build cannot be written to \S+: EACCES.*\n$/),
    ]);
    chmodSync(dir, 0o755);
  });
});

describe('a built copy', () => {
  it('starts with `npm start`, also with a damaged code cache and custom V8 flags', async () => {
    copy('dist', 'scripts', 'schema', 'package.json', 'package-lock.json');
    const cache = join(dir, 'dist/bundle/serve.js.cache');
    writeFileSync(cache, readFileSync(cache).fill(0, 1_000_000));
    const service = run(['start'], {
      command: 'npm',
      env: {
        PORT: '0',
        DATA_DIR: join(dir, 'data'),
        ADMIN_EMAIL,
        ADMIN_PASSWORD,
        NODE_OPTIONS: `${dyingWithTheRun.NODE_OPTIONS} --max-old-space-size=512`,
      },
    });
    const url = await readyUrl(service);
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    process.kill(-(service.child.pid ?? 0), 'SIGTERM');
    expect((await service.exit).code).toBe(0);
    expect(readdirSync(dir).sort()).toEqual([
      'data',
      'dist',
      'node_modules',
      'package-lock.json',
      'package.json',
      'schema',
      'scripts',
    ]);
  });

  it('rejects an older Node in one sentence', async () => {
    expect(await ended(run([built(MAIN)], { env: olderNode() }))).toEqual([
      1,
      expect.stringMatching(/^Hypha needs Node 20\.19 or newer; this is 20\.18\.3 \(.*\)\.\n$/),
    ]);
  });
});
