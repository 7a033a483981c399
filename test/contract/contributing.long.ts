import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/process';

jest.setTimeout(600_000);

/** What of the project a walk-through may change or is judged by. */
const PARTS = ['src', 'dashboard', 'test', 'schema', 'bench', 'examples', 'package.json', 'tsconfig.json', 'jest.config.cjs', '.dependency-cruiser.cjs'];

interface Diff { readonly file: string; readonly text: string }

/** The walk-throughs of CONTRIBUTING.md: the numbered headings, each with its diffs in order. */
const walkThroughs = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(/^## /m).filter((section) => /^\d\. /.test(section)).map((section) => ({
  title: section.slice(0, section.indexOf('\n')),
  diffs: [...section.matchAll(/^```diff title="([^"\n]+)"\n([\s\S]*?\n)```$/gm)].map(([, file, text]): Diff => ({ file, text })),
}));

const added = walkThroughs.flatMap(({ diffs }) => diffs).filter(({ text }) => text.startsWith('--- /dev/null\n')).map(({ file }) => file);
const addedTests = added.filter((file) => file.endsWith('.test.ts'));

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'hypha-contributing-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs a program in the copy; what it says when it fails, nothing when it does not. */
function complaintOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? '' : `${error?.message ?? ''}${stdout}${stderr}` || `${program} ended with ${status}`;
}

const node = (program: string, ...args: readonly string[]): string => complaintOf(process.execPath, [join(ROOT, 'node_modules', program), ...args]);

it('has four walk-throughs, each with a test', () => {
  expect(walkThroughs.map(({ title, diffs }) => [title[0], diffs.some(({ file }) => addedTests.includes(file))])).toEqual([['1', true], ['2', true], ['3', true], ['4', true]]);
});

// One after another, as somebody would who tries them all.
it.each(walkThroughs)('$title: its diffs apply to the code as it is', ({ title, diffs }) => {
  for (const { file, text } of diffs) {
    const diff = join(copy, 'next.diff');
    writeFileSync(diff, text);
    const complaint = complaintOf('git', ['apply', '--whitespace=nowarn', diff], { ...process.env, GIT_CEILING_DIRECTORIES: join(copy, '..') });
    // The failure names the walk-through and the hunk.
    expect(complaint && `CONTRIBUTING.md, ${title}, ${file}: ${complaint}\n${text}`).toBe('');
  }
});

it('compiles with all of them', () => {
  expect(node('typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit')).toBe('');
});

it('keeps the import rules with all of them', () => {
  expect(node('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'src')).toBe('');
});

it('passes the tests they add and those they change', () => {
  const changed = walkThroughs.flatMap(({ diffs }) => diffs.map(({ file }) => file)).filter((file) => file.startsWith('test/engine/'));
  expect(node('jest/bin/jest.js', '--runInBand', '--runTestsByPath', ...addedTests, ...changed)).toBe('');
});
