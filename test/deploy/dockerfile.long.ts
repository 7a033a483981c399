import { DockerfileParser, From } from 'dockerfile-ast';
import type { Copy, Instruction, JSONInstruction } from 'dockerfile-ast';
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load';
import { VERSION } from '../../src/platform/version';
import { built } from '../support/service/built';
import { MAIN, ROOT, Running, dyingWithTheRun, freePort, readyUrl } from '../support/process';

/*
 * Docker is not available where the tests run. They parse the Dockerfile and execute its COPY and RUN instructions in a
 * temporary directory. `npm ci` is replaced by links to the installed packages, and the build by the existing one, which
 * the build script accepts only if its sources are the same: then the image gets all of them.
 */

const INSTALL = 'npm ci --no-audit --no-fund';
const LINK = 'cp -al "$INSTALLED" node_modules || cp -a "$INSTALLED" node_modules';
const BUILD = 'npm run build';
const REPLACED = new Map([
  [INSTALL, LINK],
  [BUILD, 'cp -a "$BUILT" dist && node scripts/build.mjs --if-needed'],
]);
const run = promisify(execFile);
const dockerfile = DockerfileParser.parse(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));

interface Stage {
  readonly from: From;
  readonly instructions: readonly Instruction[];
}
const stages: Stage[] = [];
for (const instruction of dockerfile.getInstructions())
  if (instruction instanceof From) stages.push({ from: instruction, instructions: [] });
  else (stages.at(-1)?.instructions as Instruction[]).push(instruction);
const [build, runtime] = stages;
const last = (stage: Stage, keyword: string): Instruction | undefined =>
  stage.instructions.filter((each) => each.getKeyword() === keyword).at(-1);
const argumentsOf = (instruction: Instruction): string[] =>
  instruction.getArguments().map((each) => each.getValue());
const textOf = (instruction: Instruction): string => instruction.getArgumentsContent() ?? '';
/** The words of `["node", "dist/main.js"]`. */
const wordsOf = (instruction: JSONInstruction): string[] =>
  instruction.getJSONStrings().map((each) => JSON.parse(each.getValue()) as string);
const environment = Object.fromEntries(
  runtime.instructions
    .filter((each) => each.getKeyword() === 'ENV')
    .flatMap(argumentsOf)
    .map((pair) => pair.split('=') as [string, string]),
);

/** Rules of `.dockerignore`; the last one that matches counts. */
const rules = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const pattern = line
      .replace(/^!/, '')
      .replaceAll('.', String.raw`\.`)
      .replaceAll(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'));
    return { isException: line.startsWith('!'), matches: new RegExp(`^${pattern}(?:/|$)`) };
  });
const isSent = (path: string): boolean =>
  path === '' || rules.filter(({ matches }) => matches.test(path)).at(-1)?.isException !== false;

/** Executes the COPY instructions and, if asked, the others with `execute`, in order. */
async function executeStage(
  { instructions }: Stage,
  workdir: string,
  sources: (stage: string | null) => { root: string; isSent: (path: string) => boolean },
  execute: (command: string) => Promise<unknown>,
): Promise<void> {
  for (const instruction of instructions) {
    if (instruction.getKeyword() === 'RUN') await execute(textOf(instruction));
    if (instruction.getKeyword() !== 'COPY') continue;
    const stage = (instruction as Copy).getFromFlag()?.getValue() ?? null;
    const { root, isSent: isIncluded } = sources(stage);
    const paths = argumentsOf(instruction);
    const target = join(workdir, paths.pop() ?? '');
    for (const path of paths) {
      const from = join(root, path.replace(/^\/build\//, ''));
      const isFolder = paths.length > 1 || target.endsWith('/.') || target === `${workdir}/`;
      const to = isFolder ? join(target, basename(path)) : target;
      cpSync(from, to, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => isIncluded(relative(root, file)),
      });
    }
  }
}

it('the Dockerfile uses only its base image and npm, has the version, and does not run as root', () => {
  expect(stages).toHaveLength(2);
  for (const { from } of stages) expect(from.getImage()).toBe('node:24-bookworm-slim');
  const commands = stages.flatMap(({ instructions }) =>
    instructions.filter((each) => each.getKeyword() === 'RUN').map(textOf),
  );
  expect(commands).toEqual([
    INSTALL,
    BUILD,
    'npm prune --omit=dev --no-audit --no-fund',
    'mkdir -m 700 /var/lib/hypha && chown node:node /var/lib/hypha',
  ]);
  expect(dockerfile.getInstructions().map((each) => each.getKeyword())).not.toContain('ADD');
  expect(textOf(last(runtime, 'USER') as Instruction)).toBe('node');
  expect(argumentsOf(last(runtime, 'LABEL') as Instruction)).toContain(
    `org.opencontainers.image.version="${VERSION}"`,
  );
  expect(environment).toMatchObject({ NODE_ENV: 'production', DATA_DIR: '/var/lib/hypha' });
});

it('.dockerignore sends what the Dockerfile copies, and no configuration or data', () => {
  const copied = build.instructions
    .filter((each) => each.getKeyword() === 'COPY')
    .flatMap((each) => argumentsOf(each).slice(0, -1));
  expect(copied.length).toBeGreaterThan(8);
  expect(copied.filter((path) => !isSent(path) || !existsSync(join(ROOT, path)))).toEqual([]);
  for (const path of [
    '.env',
    'application.yml',
    'src/main/resources/application.yml',
    'runtime/data/data.mdb',
    'node_modules/express',
    'packages/embedded-mongo/node_modules/lmdb',
    '.git/config',
    'dist/main.js',
    'src/.env.local',
  ])
    expect([path, isSent(path)]).toEqual([path, false]);
});

it('the steps of the Dockerfile give a service that passes its health check', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-image-'));
  const [buildDir, imageDir] = [join(dir, 'build'), join(dir, 'image')];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  mkdirSync(buildDir);
  mkdirSync(imageDir);
  const outputs: string[] = [];
  built(MAIN);
  let running: Running | null = null;
  try {
    await executeStage(
      build,
      buildDir,
      () => ({ root: ROOT, isSent }),
      (command) =>
        run('sh', ['-c', REPLACED.get(command) ?? command], {
          cwd: buildDir,
          env: {
            ...env,
            INSTALLED: join(ROOT, 'node_modules'),
            BUILT: join(ROOT, 'dist'),
            npm_config_offline: 'true',
          },
          maxBuffer: 64 * 1024 * 1024,
        }).then(({ stdout }) => outputs.push(stdout)),
    );
    await executeStage(
      runtime,
      imageDir,
      (stage) => {
        expect(stage).toBe('build');
        return { root: buildDir, isSent: () => true };
      },
      // It prepares the data directory, which is a temporary one here.
      async () => undefined,
    );
    expect(outputs.join('')).not.toContain('Building');
    // Nothing of the build directory may be needed.
    rmSync(buildDir, { recursive: true });
    const port = await freePort();
    const data = join(dir, 'data');
    const moved = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace('/var/lib/hypha', data),
    ]);
    const containerEnv = { ...Object.fromEntries(moved), ...env, PORT: `${port}` };
    const [program, ...args] = wordsOf(dockerfile.getCMDs()[0]);
    running = new Running(
      spawn(program, args, {
        cwd: imageDir,
        env: { ...dyingWithTheRun, ...containerEnv },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    const service = await readyUrl(running);
    expect(await (await fetch(`${service}/healthz`)).json()).toMatchObject({ version: VERSION });
    const [check] = dockerfile.getHEALTHCHECKs();
    const words = wordsOf(
      DockerfileParser.parse(`FROM x\n${textOf(check).replace(/^.*?CMD/s, 'CMD')}`).getCMDs()[0],
    );
    const health = (): Promise<unknown> => run(words[0], words.slice(1), { env: containerEnv });
    await health();
    running.child.kill('SIGTERM');
    expect((await running.exit).code).toBe(0);
    await expect(health()).rejects.toMatchObject({ code: 1 });
  } finally {
    running?.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
});

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: string;
        readonly environment?: Readonly<Record<string, string>>;
        readonly volumes?: readonly string[];
      }
    >
  >;
  readonly volumes: Readonly<Record<string, null>>;
}

it.each([
  ['compose.yml', ['hypha']],
  ['compose.full.yml', ['hypha', 'mongo-1', 'mongo-2', 'mongo-3', 'nginx', 'redis']],
])('deploy/%s has the services %j, with volumes and files that exist', (file, names) => {
  const text = readFileSync(join(ROOT, 'deploy', file), 'utf8')
    .replaceAll(/\$\{\w+:-[^}]*\}/g, '')
    .replaceAll(/\$\{\w+:\?[^}]*\}/g, 'a secret of a test that is long enough');
  const { services, volumes } = parse(text, { merge: true }) as Compose;
  expect(Object.keys(services).sort()).toEqual(names);
  expect(existsSync(join(ROOT, 'deploy', services.hypha.build ?? '', 'Dockerfile'))).toBe(true);
  for (const { volumes: mounts = [] } of Object.values(services))
    for (const [source = ''] of mounts.map((mount) => mount.split(':')))
      expect(
        source.startsWith('.') ? existsSync(join(ROOT, 'deploy', source)) : source in volumes,
      ).toBe(true);
  expect(loadConfig({ ...services.hypha.environment }, ROOT).warnings).toEqual([]);
});
