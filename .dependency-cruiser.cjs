/**
 * The import rules of ARCHITECTURE.md, checked by `npm run check:imports`. That no folders import each other in a circle is in
 * scripts/check-imports.mjs: dependency-cruiser finds circles of files, or of all directories.
 */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'engine-stands-alone',
      comment:
        'The engine gets ports; it knows no store, server or feature. It may use the names of secrets, redaction, XML and caches.',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: {
        path: '^src/',
        pathNot: '^src/(engine/|platform/(secrets/|redaction/|xml/|cache\\.ts$))',
      },
    },
    {
      name: 'secrets-stand-alone',
      comment: 'The engine may use it, so it must not bring anything else along.',
      severity: 'error',
      from: { path: '^src/platform/secrets/' },
      to: { path: '^src/', pathNot: '^src/platform/secrets/' },
    },
    {
      name: 'redaction-stands-alone',
      comment: 'The engine may use it, so it must not bring anything else along.',
      severity: 'error',
      from: { path: '^src/platform/redaction/' },
      to: { path: '^src/', pathNot: '^src/platform/(redaction/|secrets/)' },
    },
    {
      name: 'embedded-store-stands-alone',
      severity: 'error',
      from: { path: '^packages/embedded-mongo/' },
      to: { path: '^(?:src|test|packages)/', pathNot: '^packages/embedded-mongo/' },
    },
    {
      name: 'packages-are-imported-by-name',
      comment: 'Only the entry point of a package is public.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/', pathNot: '^packages/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'platform-imports-no-feature',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(features|pages|cli)/' },
    },
    {
      name: 'nothing-imports-the-root',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/|(main|start|serve|app|domain|rest)\\.ts$)' },
      to: { path: '^src/(main|start|serve|app|domain|rest)\\.ts$' },
    },
    {
      name: 'features-use-collections',
      comment:
        'Features read and write records through `Collection`; mongoose is known to platform/store only.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/store/' },
      to: { path: 'node_modules/(mongoose|mongodb)/' },
    },
    {
      name: 'transports-do-not-import-models',
      severity: 'error',
      from: { path: '\\.(graphql|rest|stomp|types|inputs)\\.ts$' },
      to: { path: '\\.model\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-do-not-import-transports',
      severity: 'error',
      from: { path: '\\.(service|model|policy)\\.ts$' },
      to: { path: '\\.(graphql|rest|stomp|presenter|types|inputs)\\.ts$' },
    },
    {
      name: 'features-meet-through-services',
      severity: 'error',
      comment:
        'A feature reaches another one through its service, policy, events, loaders or GraphQL types, never through its model or routes.',
      from: { path: '^src/features/([^/]+)/' },
      to: {
        path: '^src/features/',
        pathNot: [
          '^src/features/$1/',
          '\\.(service|policy|types|events|presenter|schema|loader)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'children-hold-no-store',
      comment: 'What executes a run has no way to the store, the keys or a server.',
      severity: 'error',
      from: { path: '^src/features/runs/execution/pool/run-child\\.ts$' },
      to: {
        path: '^src/(config|platform/(store|crypto|http|graphql|ws|sockets|control|access))/|^packages/embedded-mongo/|node_modules/(mongoose|lmdb|express|graphql)/',
        reachable: true,
      },
    },
    {
      name: 'only-packages-of-production',
      comment:
        'What the service loads is installed by `npm ci --omit=dev`; types are not loaded, and browsers load what the build copies.',
      severity: 'error',
      from: { path: '^(?:src|packages)/', pathNot: '^src/pages/public/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^src/main\\.ts$', 'worker\\.ts$'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default'],
    },
  },
};
