// Makes one file of each compiled program and of the packages it loads, and the code cache of it: reading and compiling two thousand files
// is most of a start otherwise.
import { execFileSync } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

/** Loaded from node_modules as they are: native code, what few services ever load, and what packages ask for that is not installed. */
const LEFT_OUT = [
  'lmdb',
  '@node-rs/argon2',
  '@grpc/grpc-js',
  '@grpc/proto-loader',
  'ioredis',
  'ldapts',
  'prom-client',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'class-validator',
  '@aws-sdk/credential-providers',
  '@mongodb-js/zstd',
  'aws4',
  'gcp-metadata',
  'kerberos',
  'mongodb-client-encryption',
  'snappy',
  'socks',
];

/** Modules of the project find files relative to their source, also from a bundle in another folder. */
const ownPlaces = (outDir, bundleDir) => ({
  name: 'own-places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(outDir + sep)) return undefined;
      const place = (name, file) => [
        new RegExp(String.raw`\b${name}\b`, 'g'),
        `(__dirname + ${JSON.stringify(`/${relative(bundleDir, file)}`)})`,
      ];
      const contents = [place('__dirname', dirname(path)), place('__filename', path)].reduce(
        (text, [name, there]) => text.replace(name, there),
        await readFile(path, 'utf8'),
      );
      return { contents, loader: 'js' };
    }),
});

/** It computes hashes in JavaScript, which is slow, where a module has no `module.require`, as in a bundle. */
const nodeHashes = {
  name: 'node-hashes',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]utils\.createhash[\\/]dist[\\/]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('module.require'))
        throw new Error(`${path} does not contain module.require any more`);
      return { contents: text.replaceAll('module.require', 'require'), loader: 'js' };
    }),
};

/** The programs that are bundled, and the modules that set the V8 flags under which each runs. */
const PROGRAMS = [
  { program: 'serve.js', flags: ['platform/heap-growth.js'] },
  { program: 'features/runs/execution/pool/run-child.js', flags: [] },
];

/** `compiled` holds the compiled sources. */
export async function bundle(compiled) {
  const outDir = await realpath(compiled);
  const bundleDir = join(outDir, 'bundle');
  for (const { program, flags } of PROGRAMS) {
    const file = join(bundleDir, basename(program));
    await build({
      absWorkingDir: outDir,
      entryPoints: [program],
      outfile: file,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      charset: 'ascii',
      external: LEFT_OUT,
      plugins: [ownPlaces(outDir, bundleDir), nodeHashes],
      logLevel: 'warning',
    });
    const load = (module) => `require(${JSON.stringify(join(outDir, module))})`;
    execFileSync(
      process.execPath,
      [
        '-e',
        [...flags.map(load), `${load('bundle.js')}.cacheBundle(${JSON.stringify(file)})`].join(';'),
      ],
      { stdio: 'inherit', env: {} },
    );
  }
}
