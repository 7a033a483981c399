import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * Only platform/outbound opens sockets outward. Servers may listen: of the modules that do both, the names that listen are allowed.
 * Types of all of them are.
 */
const LISTENING = {
  http: ['createServer', 'STATUS_CODES', 'IncomingMessage', 'ServerResponse'],
  net: ['Server', 'createServer', 'isIP', 'isIPv4', 'isIPv6'],
  ws: ['WebSocketServer'],
};
const OUTWARD_MODULES = ['https', 'http2', 'tls', 'dgram', 'dns', 'dns/promises', 'undici', '@grpc/grpc-js'];
const OUTWARD_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
const ONLY_OUTBOUND = 'Only platform/outbound opens sockets outward.';
const spellings = (name) => [name, `node:${name}`];
const outwardPattern = `/^(node:)?(${[...OUTWARD_MODULES, ...Object.keys(LISTENING)].join('|').replaceAll('/', '.')})$|^undici.lib/`;

export default tseslint.config(
  { ignores: ['.dev/', '.dist-*/', 'dist/', 'node_modules/', 'runtime/', 'test/generated/', 'dashboard/generated/', 'coverage/'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts', 'dashboard/**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // What a start does not need, and a request does not wait for, is loaded where it is used.
      '@typescript-eslint/no-require-imports': ['error', { allow: ['^\\./running$', '^yaml$', '^@graphql-tools/utils$', '^re2js$', '^tldts$', '^jsonpath-rfc9535(?:/parser)?$', '^@node-rs/argon2$', '^bcryptjs$', '^zod-openapi$', '^undici/lib/dispatcher/agent$', '^@grpc/'] }],
      'no-else-return': 'error',
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'prefer-const': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    // The command `hypha` reaches the service by a socket file of this machine.
    ignores: ['src/platform/outbound/**', 'src/platform/control/client.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', {
        paths: [
          ...OUTWARD_MODULES.flatMap(spellings).map((name) => ({ name, message: ONLY_OUTBOUND, allowTypeImports: true })),
          ...Object.entries(LISTENING).flatMap(([module, allowImportNames]) =>
            spellings(module).map((name) => ({ name, allowImportNames, message: ONLY_OUTBOUND, allowTypeImports: true }))),
        ],
        patterns: [{ group: ['undici/*'], message: ONLY_OUTBOUND, allowTypeImports: true }],
      }],
      'no-restricted-globals': ['error', ...OUTWARD_GLOBALS.map((name) => ({ name, message: ONLY_OUTBOUND }))],
      'no-restricted-properties': ['error', ...['globalThis', 'global'].flatMap((object) =>
        OUTWARD_GLOBALS.map((property) => ({ object, property, message: ONLY_OUTBOUND })))],
      'no-restricted-syntax': ['error',
        { selector: `ImportExpression[source.value=${outwardPattern}]`, message: ONLY_OUTBOUND },
        { selector: `CallExpression[callee.name='require'][arguments.0.value=${outwardPattern}]`, message: ONLY_OUTBOUND },
        { selector: `TSExternalModuleReference[expression.value=${outwardPattern}]`, message: ONLY_OUTBOUND },
      ],
    },
  },
  {
    // A pattern may take no more than linear time, whatever text it meets.
    files: ['src/**/*.ts'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }], 'regexp/no-super-linear-move': ['error', { report: 'potential' }] },
  },
  {
    // Decorator metadata needs the classes at run time, so type-only imports are not forced where decorators stand.
    files: ['src/features/**/*.graphql.ts', 'src/features/**/*.types.ts', 'src/features/**/*.inputs.ts', 'src/platform/graphql/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    // Tests read JSON answers whose shape they then assert.
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
);
