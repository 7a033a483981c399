import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/process';

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'hypha-kept-'));
  for (const part of ['package.json', 'jest.config.cjs', 'test/support/kept-modules'])
    cpSync(join(ROOT, part), join(project, part), { recursive: true });
  mkdirSync(join(project, 'packages'));
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  write(
    'src/loads.ts',
    "export const loads = { count: 0 };\ntype Nothing = never;\nexport function fails(): Nothing {\n  throw new Error('from here');\n}\n",
  );
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

interface Outcome {
  readonly report: string;
  /** File, name and result of each test. */
  readonly tests: string[];
}

/** The results of test files that run in sequence in one process. */
function outcomeOf(files: Record<string, string>): Outcome {
  rmSync(join(project, 'test/cases'), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) write(`test/cases/${name}.test.ts`, text);
  // jest runs large files first, so this test orders them by name.
  write(
    'order.cjs',
    "const { default: Sequencer } = require('@jest/test-sequencer');\nmodule.exports = class extends Sequencer {\n  sort(tests) { return [...tests].sort((a, b) => (a.path < b.path ? -1 : 1)); }\n};\n",
  );
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      '--runInBand',
      '--json',
      '--testSequencer',
      join(project, 'order.cjs'),
    ],
    { cwd: project, encoding: 'utf8' },
  );
  const { testResults } = JSON.parse(stdout) as {
    testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
  };
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(
      ({ title, status }) => `${/(\w+)\.test\.ts$/.exec(name)?.[1]}: ${title} ${status}`,
    ),
  );
  return { report: stderr, tests: tests.sort() };
}

describe('modules that stay loaded between test files', () => {
  it('are those of the service and packages, and leak nothing else into later files', () => {
    write('test/support/own.ts', 'export const own = { count: 0 };\n');
    const counts = (expected: number): string =>
      `import { loads } from '../../src/loads';\nimport { own } from '../support/own';\nit('counts', () => { loads.count += 1; own.count += 1; expect([loads.count, own.count]).toEqual([${expected}, 1]); });\n`;
    const leaves = `
      import fs from 'node:fs';
      import { loads } from '../../src/loads';
      it('leaves', () => {
        jest.useFakeTimers();
        jest.spyOn(Date, 'now').mockReturnValue(5);
        process.env.LEFT = 'yes'; delete process.env.NODE_ENV;
        globalThis.fetch = () => Promise.reject(new Error('left'));
        globalThis.structuredClone = undefined as never;
        Reflect.deleteProperty(globalThis, 'btoa');
        process.kill = () => true;
        expect.hasAssertions();
        expect(loads).toBeDefined();
      });
      jest.spyOn(fs, 'readFileSync').mockReturnValue('left');`;
    const finds = `
      import fs from 'node:fs';
      const timer = setTimeout;
      it('finds nothing', async () => {
        expect([process.env.LEFT, process.env.NODE_ENV]).toEqual([undefined, 'test']);
        expect(Date.now()).toBeGreaterThan(1e12);
        expect(fs.readFileSync('package.json', 'utf8')).toContain('hypha');
        expect(globalThis.fetch.name).toBe('fetch');
        expect(structuredClone({ a: 1 })).toEqual({ a: 1 });
        expect(btoa('a')).toBe('YQ==');
        expect(() => process.kill(process.pid, 'NO SIGNAL')).toThrow();
        await new Promise((resolve) => timer(resolve, 1));
      });`;
    // No context of an earlier file remains on the promises of later ones.
    const carries = `
      import { executionAsyncResource } from 'node:async_hooks';
      it('carries little', async () => {
        await Promise.resolve();
        const carried = Object.getOwnPropertySymbols(executionAsyncResource()).filter(({ description }) => description === 'kResourceStore');
        expect(carried.length).toBeLessThan(2);
      });`;
    const { tests, report } = outcomeOf({
      a: counts(1),
      b: counts(2),
      c: `/** @jest-environment node */\n${counts(1)}`,
      d: counts(3),
      e: leaves,
      f: finds,
      g: carries,
      h: `/** @jest-environment node */${carries}`,
      i: carries,
    });
    const passed = [
      'a: counts passed',
      'b: counts passed',
      'c: counts passed',
      'd: counts passed',
      'e: leaves passed',
      'f: finds nothing passed',
      'g: carries little passed',
      'h: carries little passed',
      'i: carries little passed',
    ];
    expect([tests, tests.length === passed.length ? '' : report]).toEqual([passed, '']);
  });

  it('have correct lines in stacks of every file, and exclude modules that need their own realm', () => {
    const meets = "import { fails } from '../../src/loads';\nit('meets', () => { fails(); });\n";
    const needing = [
      ['jest.mock', "jest.mock('../../src/loads');\nit('runs', () => undefined);\n"],
      [
        'jest.isolateModules',
        "it('runs', () => { jest.isolateModules(() => { require('../../src/loads'); }); });\n",
      ],
      ['jest.resetModules', "it('runs', () => { jest.resetModules(); });\n"],
      ['type-graphql', "import 'type-graphql';\nit('runs', () => undefined);\n"],
    ] as const;
    const { tests, report } = outcomeOf({
      a: meets,
      b: meets,
      ...Object.fromEntries(
        needing.flatMap(([, text], at) => [
          [`kept${at}`, text],
          [`own${at}`, `/** @jest-environment node */\n${text}`],
        ]),
      ),
    });
    expect(report.match(/src\/loads\.ts:4:\d+/g)?.length).toBe(2);
    for (const [what] of needing)
      expect(report).toMatch(
        new RegExp(`${what}, which would reach into other test files[^]*@jest-environment node`),
      );
    expect(tests.filter((test) => test.endsWith('runs passed'))).toEqual(
      needing.map((_, at) => `own${at}: runs passed`),
    );
  });
});
