import fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeApis } from '../../src/app';
import { ConfigError, loadConfig, readConfig } from '../../src/config/load';
import { editDistance } from '../../src/config/unknown-names';
import { OWN_FIRST_SEGMENTS } from '../../src/config/addresses';
import { VENDOR_FILES } from '../../src/pages/assets';
import { longIt } from '../support/long';

describe('the configuration', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hypha-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const load = (env: NodeJS.ProcessEnv, file?: string) => {
    if (file === undefined) return loadConfig(env, folder);
    writeFileSync(join(folder, 'application.yml'), file);
    return loadConfig({ CONFIG_FILE: 'application.yml', ...env }, folder);
  };
  const problemsOf = (work: () => unknown): readonly string[] => {
    try {
      work();
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    throw new Error('The configuration was accepted.');
  };

  it('needs no file and no environment', () => {
    const { config, warnings } = load({});
    expect(config.server).toMatchObject({ host: '127.0.0.1', port: 8080 });
    expect(config.data).toEqual({
      dir: join(folder, 'runtime/data'),
      mongodbUri: null,
      shareStore: false,
    });
    expect(config.graphql.introspection).toBe(true);
    expect(config.limits).toMatchObject({ tokens: 5000, depth: 12, aliases: 30, page: 100 });
    expect(warnings).toEqual([]);
  });

  it('treats an empty variable as unset', () => {
    expect(load({ CONFIG_FILE: '', PRODUCT_PREFIX: '', PORT: '' }).config).toMatchObject({
      productPrefix: 'hypha',
      server: { port: 8080 },
    });
  });

  it('keeps secrets unchanged', () => {
    expect(load({ ADMIN_PASSWORD: '  spaces around  ' }).config.administrator.password).toBe(
      '  spaces around  ',
    );
  });

  it('is deeply frozen', () => {
    const { config } = load({});
    expect(() => {
      (config.server as { port: number }).port = 1;
    }).toThrow(TypeError);
  });

  it('hides the schema in production by default', () => {
    expect(load({ NODE_ENV: 'production' }).config.graphql.introspection).toBe(false);
    expect(
      load({ NODE_ENV: 'production', HYPHA_GRAPHQL_INTROSPECTION: 'true' }).config.graphql
        .introspection,
    ).toBe(true);
  });

  it('reads variables with the product prefix and with HYPHA_, the former first', () => {
    const dialectWith = (env: Record<string, string>) => {
      const { config, warnings } = load({ PRODUCT_PREFIX: 'acme', ...env });
      return [config.rest.dialect, warnings];
    };
    expect(dialectWith({ HYPHA_REST_DIALECT: 'released' })).toEqual(['released', []]);
    expect(dialectWith({ ACME_REST_DIALECT: 'released' })).toEqual(['released', []]);
    expect(
      dialectWith({ ACME_REST_DIALECT: 'documented', HYPHA_REST_DIALECT: 'released' }),
    ).toEqual([
      'documented',
      ['HYPHA_REST_DIALECT in the environment is ignored, since ACME_REST_DIALECT is set too'],
    ]);
  });

  it('reads the file format of the released line, under its product prefix', () => {
    const { config } = load(
      { PRODUCT_PREFIX: 'acme' },
      [
        'server:',
        '  port: 9090',
        'acme:',
        '  token:',
        '    activity-time: 600',
        '  cors.origins: [ "https://a.example" ]',
        '  graphql:',
        '    introspection: off',
      ].join('\n'),
    );
    expect(config.server.port).toBe(9090);
    expect(config.token.activitySeconds).toBe(600);
    expect(config.cors.origins).toEqual(['https://a.example']);
    expect(config.graphql.introspection).toBe(false);
  });

  it('prefers the environment to the file', () => {
    expect(load({ PORT: '1234' }, 'server:\n  port: 9090').config.server.port).toBe(1234);
    expect(
      load({ HYPHA_TOKEN_ACTIVITY_TIME: '60' }, 'hypha:\n  token:\n    activityTime: 10').config
        .token.activitySeconds,
    ).toBe(60);
  });

  it('lists every problem with key, value and accepted form, and masks secrets', () => {
    const problems = problemsOf(() =>
      load({
        PORT: 'eighty',
        HYPHA_TIME_ZONE: 'Mars/Olympus',
        ADMIN_PASSWORD: 'short',
      }),
    );
    expect(problems).toHaveLength(3);
    expect(problems).toContainEqual(
      expect.stringMatching(/^PORT = "eighty": must be a whole number from 0 to 65535$/),
    );
    expect(problems).toContainEqual(
      expect.stringMatching(/^HYPHA_TIME_ZONE = "Mars\/Olympus": must be an IANA time zone/),
    );
    expect(problems).toContainEqual(
      expect.stringMatching(/^ADMIN_PASSWORD = \*\*\*: must be 8 to 128 characters$/),
    );
    expect(problems.join('\n')).not.toMatch(/short"/);
  });

  const MONGODB_URI = 'mongodb://a';
  it.each([
    ['redis://cache', { host: 'cache', port: 6379, isEncrypted: false }],
    ['rediss://[::1]:7000/3', { host: '::1', port: 7000, isEncrypted: true }],
    [
      'rediss://ada:p%40ss%2Fword@cache.example',
      { host: 'cache.example', username: 'ada', password: 'p@ss/word' },
    ],
    ['redis://:word@cache', { username: '', password: 'word' }],
  ])('reads the address of a Redis: %s', (address, expected) => {
    const { config, warnings } = load({ MONGODB_URI, HYPHA_FILES: 'database', REDIS_URL: address });
    expect(config.redis).toMatchObject({ prefix: 'hypha:', ...expected });
    expect(warnings).toEqual([]);
  });

  it.each(['cache:6379', 'http://cache', 'redis://', 'redis://cache/x', 'redis://cache?tls=true'])(
    'rejects the address of a Redis without showing it: %s',
    (address) => {
      expect(problemsOf(() => load({ MONGODB_URI, REDIS_URL: address }))).toEqual([
        expect.stringMatching(/^REDIS_URL = \*\*\*: must be redis:\/\//),
      ]);
    },
  );

  it('does not use a Redis with the embedded store, and says so', () => {
    const { config, warnings } = load({ REDIS_URL: 'redis://cache' });
    expect(config.redis).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/^hypha\.redis\.url is not used/)]);
  });

  it.each([
    ['https://a.example', 'https://a.example', ''],
    ['https://a.example/', 'https://a.example', ''],
    ['https://a.example:8443/hypha', 'https://a.example:8443/hypha', '/hypha'],
    ['http://a.example/apps/hypha.v2/', 'http://a.example/apps/hypha.v2', '/apps/hypha.v2'],
  ])('accepts a public address with or without a path: %s', (given, publicUrl, pathPrefix) => {
    expect(load({ HYPHA_PUBLIC_URL: given }).config.server).toMatchObject({
      publicUrl,
      pathPrefix,
    });
  });

  longIt('rejects a public address whose path begins like a service path', async () => {
    const { openapi } = await describeApis();
    const paths = [
      ...Object.keys(openapi.paths ?? {}),
      '/docs',
      '/dashboard',
      '/graphql',
      '/ws',
      '/swagger-ui.html',
      '/swagger-ui',
      ...VENDOR_FILES.map(({ path }) => `/vendor/${path}`),
      '/assets/page.css',
    ];
    const begins = new Set(paths.map((path) => path.split('/')[1] ?? ''));
    expect(
      [...begins].filter((segment) => /^[a-z]/i.test(segment) && !OWN_FIRST_SEGMENTS.has(segment)),
    ).toEqual([]);
  });

  it.each([
    [
      'a configured file that is missing',
      { CONFIG_FILE: 'absent.yml' },
      undefined,
      /absent\.yml: the file does not exist/,
    ],
    ['a file that is not YAML', {}, 'a: [1', /application\.yml: /],
    ['a file with a single text', {}, 'hello', /must contain keys and values/],
    [
      'a port out of range',
      {},
      'server: { port: 70000 }',
      /server\.port = 70000: must be a whole number from 0 to 65535/,
    ],
    [
      'an origin with a path',
      { HYPHA_CORS_ORIGINS: 'https://a.example/app' },
      undefined,
      /HYPHA_CORS_ORIGINS/,
    ],
    [
      'an invalid proxy',
      { HYPHA_TRUSTED_PROXIES: 'loopback,10.0.0.0/99' },
      undefined,
      /HYPHA_TRUSTED_PROXIES/,
    ],
    [
      'an invalid address rule',
      { HYPHA_OUTBOUND_DENY: '10.0.0.0/99' },
      undefined,
      /HYPHA_OUTBOUND_DENY/,
    ],
    [
      'a public address with a service path',
      { HYPHA_PUBLIC_URL: 'https://a.example/api/v1' },
      undefined,
      /HYPHA_PUBLIC_URL.*must not begin like a route of the service/,
    ],
    [
      'a public address with an empty part of a path',
      { HYPHA_PUBLIC_URL: 'https://a.example/apps//hypha' },
      undefined,
      /HYPHA_PUBLIC_URL/,
    ],
    [
      'a public address with a query',
      { HYPHA_PUBLIC_URL: 'https://a.example/hypha?x' },
      undefined,
      /HYPHA_PUBLIC_URL/,
    ],
    [
      'a master password with a letter outside ASCII',
      { HYPHA_CONNECTOR_MASTER_PASSWORD: 'schlüssel' },
      undefined,
      /HYPHA_CONNECTOR_MASTER_PASSWORD = \*+: must be 1 to 256 printable ASCII characters/,
    ],
    [
      'a master password with surrounding blanks',
      { HYPHA_CONNECTOR_MASTER_PASSWORD: 'ends with a blank ' },
      undefined,
      /HYPHA_CONNECTOR_MASTER_PASSWORD/,
    ],
    [
      'a wildcard inside an origin',
      { HYPHA_CORS_ORIGINS: 'https://*.example.com' },
      undefined,
      /HYPHA_CORS_ORIGINS/,
    ],
    [
      'a password of four characters in eight code units',
      { ADMIN_PASSWORD: '😀😀😀😀' },
      undefined,
      /ADMIN_PASSWORD = \*\*\*/,
    ],
    ['a product prefix with blanks', { PRODUCT_PREFIX: 'my product' }, undefined, /PRODUCT_PREFIX/],
  ])('rejects %s', (_what, env, file, problem) => {
    expect(problemsOf(() => load(env, file)).join('\n')).toMatch(problem);
  });

  it('saves files in a folder that exists, or in the database', () => {
    const files = (text: string) => load({ HYPHA_FILES: text }).config.files;
    const problems = (text: string) => problemsOf(() => files(text));
    mkdirSync(join(folder, 'shared'));
    expect(load({ DATA_DIR: 'data' }).config.files).toEqual({
      kind: 'folder',
      dir: join(folder, 'data/uploads'),
      isOwn: true,
    });
    expect(files('folder:shared')).toEqual({
      kind: 'folder',
      dir: join(folder, 'shared'),
      isOwn: false,
    });
    expect(files('database')).toEqual({ kind: 'database' });
    expect(problems('folder:missing')).toEqual([
      `hypha.files = "folder:missing": the folder ${join(folder, 'missing')} must exist and be writable (ENOENT)`,
    ]);
    expect(problems('s3')).toEqual([
      expect.stringContaining('HYPHA_FILES = "s3": must be folder,'),
    ]);
    const MONGODB_URI = 'mongodb://localhost/hypha?replicaSet=rs0';
    expect(load({ MONGODB_URI }).warnings).toEqual([
      expect.stringMatching(/^hypha\.files is not set: .* Several processes need/),
    ]);
    expect(load({ MONGODB_URI, HYPHA_FILES: 'folder' }).warnings).toEqual([]);
  });

  it('warns about unknown keys but not about keys of later features', () => {
    const { warnings } = load(
      {},
      'polyglot:\n  enabled: true\nhypha:\n  polyglot:\n    enabled: true\n  colour: green\nspring:\n  mail:\n    host: smtp.example\n',
    );
    expect(warnings).toEqual([
      'application.yml: polyglot.enabled is not a key of this version; it is ignored. Did you mean hypha.polyglot.enabled?',
      'application.yml: hypha.colour is not a key of this version; it is ignored',
    ]);
  });

  it('merges several documents of one file and rejects an alias bomb', () => {
    expect(load({}, 'server: { port: 1 }\n---\nserver: { port: 2 }').config.server.port).toBe(2);
    const bomb = `a: &a [${'x,'.repeat(20)}x]\n${['b', 'c', 'd', 'e'].map((name, index) => `${name}: &${name} [${`*${'abcd'[index]},`.repeat(20)}1]`).join('\n')}`;
    expect(problemsOf(() => load({}, bomb))).toHaveLength(1);
  });

  describe('the location of the file', () => {
    const write = (name: string, port: number): void => {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), `server.port: ${port}`);
    };
    const released = 'src/main/resources/application.yml';
    const portWith = (env: NodeJS.ProcessEnv = {}): number =>
      loadConfig(env, folder).config.server.port;

    it('is CONFIG_FILE, otherwise application.yml here, otherwise the path of the released line', () => {
      expect(portWith()).toBe(8080);
      write(released, 3);
      expect(portWith()).toBe(3);
      write('application.yml', 2);
      expect(portWith()).toBe(2);
      write('else/where.yml', 1);
      expect(portWith({ CONFIG_FILE: 'else/where.yml' })).toBe(1);
      expect(readConfig({}, folder).file).toEqual({
        path: join(folder, 'application.yml'),
        exists: true,
      });
    });
  });

  describe('a name that resembles a setting', () => {
    const warningsOf = (env: NodeJS.ProcessEnv): readonly string[] => load(env).warnings;

    it.each([
      ['PROTS', 'PORT'],
      ['PROT', 'PORT'],
      ['HSOT', 'HOST'],
      ['DATA_DRI', 'DATA_DIR'],
      ['DATADIR', 'DATA_DIR'],
      ['MONGODB_URL', 'MONGODB_URI'],
      ['ADMIN_PASWORD', 'ADMIN_PASSWORD'],
      ['ADMIN_MAIL', 'ADMIN_EMAIL'],
      ['CONFIGFILE', 'CONFIG_FILE'],
      ['PRODUCT_PERFIX', 'PRODUCT_PREFIX'],
      ['NODE_EVN', 'NODE_ENV'],
      ['HYPHA_PORT', 'PORT'],
      ['HYPHA_DATA_DIRS', 'HYPHA_DATA_DIR'],
      ['HYPHA_TOKN_SECRET', 'HYPHA_TOKEN_SECRET'],
      ['HYPHA_LOGLEVEL', 'HYPHA_LOG_LEVEL'],
      ['hypha_log_level', 'HYPHA_LOG_LEVEL'],
      ['HYPHA_MONGODB_URI', 'MONGODB_URI'],
    ])('is reported with the correct name: %s is %s', (name, right) => {
      expect(warningsOf({ [name]: 'x' })).toEqual([
        `${name} in the environment is not a setting of this version; it is ignored. Did you mean ${right}?`,
      ]);
    });

    it('is reported without a suggestion when none is similar', () => {
      expect(warningsOf({ HYPHA_COLOUR_OF_THE_SKY: 'x' })).toEqual([
        'HYPHA_COLOUR_OF_THE_SKY in the environment is not a setting of this version; it is ignored',
      ]);
    });

    it('is reported under the configured prefix', () => {
      expect(
        warningsOf({ PRODUCT_PREFIX: 'acme', HYPHA_LOG_LEVLE: 'warn', ACME_TIMEZONE: 'UTC' }),
      ).toEqual([
        'HYPHA_LOG_LEVLE in the environment is not a setting of this version; it is ignored. Did you mean ACME_LOG_LEVEL?',
        'ACME_TIMEZONE in the environment is not a setting of this version; it is ignored. Did you mean ACME_TIME_ZONE?',
      ]);
    });

    it('is ignored when it belongs to another program', () => {
      const others = [
        'HOME',
        'POST',
        'PATH',
        'PORTAL',
        'REPORT',
        'EXPORT',
        'IMPORT',
        'GHOST',
        'HOSTNAME',
        'HOSTTYPE',
        'PORT0',
        'META_DIR',
        'DATA_BIN',
        'XDG_DATA_DIRS',
        'PGDATA',
        'NODE_OPTIONS',
        'NODE_PATH',
        'CONFIG_PATH',
        'MAIL',
        'USER',
        'LANG',
        'TERM',
        'SHELL',
        'HYPHA',
        'HYPHA_SERVICE_HOST',
        'HYPHA_SERVICE_PORT_HTTP',
        'HYPHA_PORT_8080_TCP',
        'HYPHA_PORT_8080_TCP_ADDR',
        'HYPHA_SERVICE_PORTAL_TOKEN',
      ];
      expect(
        warningsOf({
          ...Object.fromEntries(others.map((name) => [name, 'x'])),
          HYPHA_PORT: 'tcp://10.0.0.1:8080',
        }),
      ).toEqual([]);
      // If the correct name is set, the other one belongs to another program.
      expect(
        warningsOf({
          PORT: '1',
          PORTS: '1',
          MONGODB_URI: 'mongodb://a',
          HYPHA_FILES: 'database',
          MONGODB_URL: 'mongodb://b',
          PROTS: '',
        }),
      ).toEqual([]);
    });

    it('is also reported when the start fails', () => {
      expect(() =>
        load({ PORT: 'eighty', HYPHA_TOKN_SECRET: 'x'.repeat(40) }, 'hypha.token.activty-time: 5'),
      ).toThrow(
        /PORT = "eighty"[^]*Warnings:\n {2}- application.yml: hypha.token.activty-time is not a key[^]* Did you mean hypha.token.activity-time\?\n {2}- HYPHA_TOKN_SECRET .*Did you mean HYPHA_TOKEN_SECRET\?/,
      );
      expect(() => load({ PRODUCT_PREFIX: 'my product', PROTS: '1' })).toThrow(
        /PRODUCT_PREFIX = [^]*PROTS .*Did you mean PORT\?/,
      );
    });
  });
});

describe('the distance of two names', () => {
  const name = fc.string({ unit: fc.constantFrom('A', 'B', '_'), maxLength: 6 });

  it.each([
    ['PORT', 'PORT', 0],
    ['PROT', 'PORT', 1],
    ['PROTS', 'PORT', 2],
    ['', 'PORT', 4],
    ['HOME', 'HOST', 2],
    ['DATA_DRI', 'DATA_DIR', 1],
  ])('between %s and %s is %i', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
  });

  it('is symmetric, zero only for equal names, and one for each single mistake', () => {
    fc.assert(
      fc.property(name, name, fc.nat(5), (one, other, at) => {
        expect(editDistance(one, other)).toBe(editDistance(other, one));
        expect(editDistance(one, other) === 0).toBe(one === other);
        expect(editDistance(one, `${one.slice(0, at)}x${one.slice(at)}`)).toBe(1);
        if (at < one.length)
          expect(editDistance(one, `${one.slice(0, at)}x${one.slice(at + 1)}`)).toBe(1);
        const swapped = `${one.slice(0, at)}${one[at + 1] ?? ''}${one[at] ?? ''}${one.slice(at + 2)}`;
        expect(editDistance(one, swapped)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
