const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Folders of tests: of the service, and of each package. */
const FOLDERS = [
  'test',
  ...readdirSync(join(__dirname, 'packages')).map((name) => join('packages', name, 'test')),
];
/** `npm test` runs *.test.ts; `npm run test:long` runs *.long.ts and, of *.test.ts, what `longIt` and `longDescribe` register. */
const isLongRun = process.env.HYPHA_LONG_TESTS === '1';
const hasLongTests = (file) =>
  /\blong(?:It|Describe)\b/.test(readFileSync(join(__dirname, file), 'utf8'));
const longFiles = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(__dirname, folder), { recursive: true }).map((file) => join(folder, file)),
  ).filter(
    (file) => file.endsWith('.long.ts') || (file.endsWith('.test.ts') && hasLongTests(file)),
  );

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/kept-modules/environment.cjs',
  runtime: '<rootDir>/test/support/kept-modules/runtime.cjs',
  roots: FOLDERS.map((folder) => `<rootDir>/${folder}`),
  testMatch: isLongRun ? longFiles().map((file) => `<rootDir>/${file}`) : ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': '@swc/jest',
  },
  moduleNameMapper: { '^fast-check$': '<rootDir>/test/support/fixed-seed.cjs' },
  setupFiles: ['reflect-metadata'],
  // The bound of a hang: no test asserts a duration.
  // A busy machine needs minutes for some long tests.
  testTimeout: process.env.HYPHA_LONG_TESTS ? 600_000 : 300_000,
  // Much of the long run waits: for leases to end, for processes to start, for pages.
  maxWorkers: isLongRun ? 3 : 2,
  // A worker has nothing open in the end, but needs seconds to give gigabytes of kept modules back.
  workerGracefulExitTimeout: 30_000,
  // A new worker loads all modules again.
  workerIdleMemoryLimit: '3GB',
};
