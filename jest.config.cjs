const long = process.env.HYPHA_LONG_TESTS === '1';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/kept-modules/environment.cjs',
  runtime: '<rootDir>/test/support/kept-modules/runtime.cjs',
  roots: ['<rootDir>/test'],
  testMatch: long ? ['**/*.test.ts', '**/*.long.ts'] : ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', {
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
      module: { type: 'commonjs' },
    }],
  },
  setupFiles: ['reflect-metadata', '<rootDir>/test/support/one-graphql.cjs'],
  // What it catches is a hang: the environment gives it, and those that tests have of their own, three times over.
  testTimeout: 90_000,
  maxWorkers: 2,
  // Collecting the garbage of a larger one takes long enough to be taken for a stall of the service, which the long suite measures. A new one loads all modules anew.
  workerIdleMemoryLimit: long ? '1GB' : '3GB',
};
