import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSettings } from '../../src/config/describe-settings';
import { loadConfig, readConfig } from '../../src/config/load';
import { startService } from '../support/service/harness';

const RELEASED = join(__dirname, 'files/released-application.yml');

describe('the file of a released installation', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hypha-released-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const env = { CONFIG_FILE: RELEASED, PRODUCT_PREFIX: 'acme' };
  const warningsOf = (text: string): readonly string[] => {
    writeFileSync(join(folder, 'application.yml'), text);
    return loadConfig({}, folder).warnings;
  };

  it('is valid as it is, with a list of what is not used', () => {
    const { config, problems, warnings, unused } = readConfig(env, folder);
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      server: { port: 9090 },
      data: { mongodbUri: null, shareStore: false },
      token: { secret: null, activitySeconds: 18_000, expirationSeconds: 86_400 },
      notifications: { webhookUrls: [] },
    });
    expect(unused).toEqual(
      expect.arrayContaining([
        'spring.datasource.url',
        'spring.data.mongodb.uri',
        'acme.version',
        'acme.service_portal.token',
      ]),
    );
    expect(unused).not.toContain('server.port');
    const all = warnings.join('\n');
    expect(all).toMatch(
      /\d+ keys of a released installation are not used: spring\.datasource\.url/,
    );
    expect(all).toMatch(/databases of spring\.datasource and spring\.data\.mongodb are not opened/);
    expect(all).toMatch(/acme\.service_portal speaks another.*Set acme\.online-services\.url/);
    expect(all).toMatch(/dll-auto is misspelt; the key is spring\.jpa\.hibernate\.ddl-auto/);
    expect(all).toMatch(/add-mappings=false is misspelt/);
    expect(all).toMatch(
      /acme\.token\.experation-time is the key of an older version.*acme\.token\.expiration-time/,
    );
    expect(all).toMatch(/acme\.online-services\.active = "false" is a text in quotation marks/);
    expect(all).toMatch(/acme\.notification\.tools\.incoming_webhook\.url = \*\*\*: is ignored/);
    expect(all).toMatch(/acme\.token\.secret is that of a released installation.*not used/);
    expect(all).not.toMatch(/secret1234|secretsecret|the-text-that-was-shipped/);
  });

  it('starts the service, which opens none of its databases', async () => {
    const service = await startService({ env });
    try {
      expect((await service.api('GET', '/readyz')).status).toBe(200);
      const secret = readFileSync(join(service.dataDir, 'token-secret'), 'utf8');
      expect(secret.length).toBeGreaterThanOrEqual(32);
    } finally {
      await service.close();
    }
  });

  it.each([
    [
      'a weak token secret',
      'hypha.token.secret: short',
      /hypha\.token\.secret is shorter than 32 bytes. It is not used: the service generates/,
    ],
    [
      'the former block of LDAP',
      'spring.data.ldap.timeout: 5000',
      /spring\.data\.ldap\.timeout is the key of an older version.*spring\.security\.ldap\.timeout/,
    ],
    [
      'a polyglot block at the top',
      'polyglot: { enabled: true }',
      /polyglot\.enabled is not a key of this version.*Did you mean hypha\.polyglot\.enabled/,
    ],
    [
      'a quoted boolean',
      'hypha: { polyglot: { enabled: "true" } }',
      /hypha\.polyglot\.enabled = "true" is a text in quotation marks/,
    ],
    [
      'active online services',
      'hypha.online-services.active: true',
      /online-services\.url is not set/,
    ],
    [
      'another file to change',
      'hypha.config.file-path: other.yml',
      /names another file than the one that is read/,
    ],
  ])('reports %s', (_what, text, warning) => {
    expect(warningsOf(text).join('\n')).toMatch(warning);
  });

  it('reads quoted booleans, and rejects a bad cron pattern', () => {
    writeFileSync(
      join(folder, 'application.yml'),
      'hypha: { polyglot: { enabled: "true" }, online-services: { invoker-sync: { time: daily } } }',
    );
    const { problems, settings } = readConfig({}, folder);
    expect(settings.find(({ key }) => key === 'hypha.polyglot.enabled')?.value).toBe(true);
    expect(problems).toEqual([
      expect.stringMatching(/invoker-sync\.time = "daily": must be a cron pattern/),
    ]);
  });

  it('rejects an impossible time of a synchronisation that is on', () => {
    const env = {
      HYPHA_ONLINE_SERVICES_URL: 'http://127.0.0.1:1/',
      HYPHA_ONLINE_SERVICES_TEMPLATE_SYNC_TIME: '0 0 25 * * *',
      HYPHA_ONLINE_SERVICES_TEMPLATE_SYNC_ACTIVE: 'true',
    };
    expect(readConfig(env, folder).problems).toEqual([]);
    expect(readConfig({ ...env, HYPHA_ONLINE_SERVICES_ACTIVE: 'true' }, folder).problems).toEqual([
      expect.stringMatching(/template-sync\.time = "0 0 25 \* \* \*": /),
    ]);
  });
});

it('every setting has a meaning', () => {
  for (const { key, meaning } of describeSettings('hypha'))
    expect([key, meaning]).toEqual([key, expect.stringMatching(/^\S.*\.$/)]);
});
