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
const OUTWARD_MODULES = [
  'https',
  'http2',
  'tls',
  'dgram',
  'dns',
  'dns/promises',
  'undici',
  '@grpc/grpc-js',
  'ioredis',
  'ldapts',
];
const OUTWARD_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
const ONLY_OUTBOUND = 'Only platform/outbound opens sockets outward.';
const spellings = (name) => [name, `node:${name}`];
const outwardPattern = `/^(node:)?(${[...OUTWARD_MODULES, ...Object.keys(LISTENING)].join('|').replaceAll('/', '.')})$|^undici.lib/`;

/** Names that hide what they hold: a variable is named for its value, not for how it came. */
const RIDDLES =
  'told known given asked found said meant kept noted heard taken wanted gone whole what why where how never breathe breather tell'
    .split(' ')
    .map((name) => `[${name[0]}${name[0].toUpperCase()}]${name.slice(1)}`);

/** What oxlint has no rules for; everything else is in `.oxlintrc.json`. No rule here needs types. */
export default tseslint.config(
  {
    ignores: [
      '**/*',
      '!src/',
      '!src/**',
      '!packages/',
      '!packages/*/',
      '!packages/*/src/',
      '!packages/*/src/**',
    ],
  },
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin, regexp },
    // A pattern may take no more than linear time, whatever text it is given.
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: ['variable', 'function', 'parameter', 'classMethod', 'typeLike'],
          format: null,
          custom: { regex: `^(?:${RIDDLES.join('|')})$`, match: false },
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
    // The command `hypha` reaches the service by a socket file of this machine, and operators set the address of Redis.
    ignores: [
      'src/platform/outbound/**',
      'src/platform/control/client.ts',
      'src/platform/events/redis-hints.ts',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            ...OUTWARD_MODULES.flatMap(spellings).map((name) => ({
              name,
              message: ONLY_OUTBOUND,
              allowTypeImports: true,
            })),
            ...Object.entries(LISTENING).flatMap(([module, allowImportNames]) =>
              spellings(module).map((name) => ({
                name,
                allowImportNames,
                message: ONLY_OUTBOUND,
                allowTypeImports: true,
              })),
            ),
          ],
          patterns: [{ group: ['undici/*'], message: ONLY_OUTBOUND, allowTypeImports: true }],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...OUTWARD_GLOBALS.map((name) => ({ name, message: ONLY_OUTBOUND })),
      ],
      'no-restricted-properties': [
        'error',
        ...['globalThis', 'global'].flatMap((object) =>
          OUTWARD_GLOBALS.map((property) => ({ object, property, message: ONLY_OUTBOUND })),
        ),
      ],
      'no-restricted-syntax': [
        'error',
        { selector: `ImportExpression[source.value=${outwardPattern}]`, message: ONLY_OUTBOUND },
        {
          selector: `CallExpression[callee.name='require'][arguments.0.value=${outwardPattern}]`,
          message: ONLY_OUTBOUND,
        },
        {
          selector: `TSExternalModuleReference[expression.value=${outwardPattern}]`,
          message: ONLY_OUTBOUND,
        },
      ],
    },
  },
);
