import { readFileSync, rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { ROOT } from '../../support/process';
import { OWN_URL, SLAPD, startSlapd } from '../../support/peers/slapd';
import type { Slapd } from '../../support/peers/slapd';
import { until } from '../../support/until';

const PAGE = readFileSync(join(ROOT, 'docs/ldap.md'), 'utf8');
/** A block of code of docs/ldap.md. */
function exampleOf(language: string, beginning = ''): string {
  const blocks = [...PAGE.matchAll(/```(\w+)\n([^]*?)```/g)];
  const example = blocks.find(([, name, text]) => name === language && text.startsWith(beginning));
  if (!example) throw new Error(`docs/ldap.md has no example of ${language}.`);
  return example[2];
}

const ACTIVE_DIRECTORY = `dn: DC=corp,DC=example
objectClass: dcObject
objectClass: organization
dc: corp
o: Corp

dn: CN=Reader,DC=corp,DC=example
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: Reader
userPassword: reader-password

dn: OU=Users,DC=corp,DC=example
objectClass: organizationalUnit
ou: Users

dn: OU=Groups,DC=corp,DC=example
objectClass: organizationalUnit
ou: Groups

dn: CN=Doe\\, John (Sales) #1,OU=Users,DC=corp,DC=example
objectClass: inetOrgPerson
cn: Doe, John (Sales) #1
givenName: John
sn: Doe
mail: john.doe@corp.example
mail: jd@xn--bcher-kva.example
userPassword: john-password

dn: CN=Twin One,OU=Users,DC=corp,DC=example
objectClass: inetOrgPerson
cn: Twin One
sn: Twin
mail: twin@corp.example
userPassword: twin-password

dn: CN=Twin Two,OU=Users,DC=corp,DC=example
objectClass: inetOrgPerson
cn: Twin Two
sn: Twin
mail: twin@corp.example
userPassword: twin-password

dn: CN=No Mail,OU=Users,DC=corp,DC=example
objectClass: inetOrgPerson
cn: No Mail
sn: Mail
uid: nomail
userPassword: nomail-password

dn: CN=Loop,OU=Users,DC=corp,DC=example
objectClass: referral
objectClass: extensibleObject
cn: Loop
ref: ${OWN_URL}/OU=Users,DC=corp,DC=example??sub

dn: CN=Integration (EMEA),OU=Groups,DC=corp,DC=example
objectClass: groupOfNames
cn: Integration (EMEA)
member: CN=Doe\\2C John (Sales) #1,OU=Users,DC=corp,DC=example
member: CN=Many,OU=Users,DC=corp,DC=example

dn: CN=Many,OU=Users,DC=corp,DC=example
objectClass: inetOrgPerson
cn: Many
sn: Groups
mail: many@corp.example
userPassword: many-password

${Array.from(
  { length: 1_200 },
  (_each, nth) => `dn: CN=Group ${nth},OU=Groups,DC=corp,DC=example
objectClass: groupOfNames
cn: Group ${nth}
member: CN=Many,OU=Users,DC=corp,DC=example
`,
).join('\n')}`;

const described = SLAPD === undefined ? describe.skip : describe;

described('OpenLDAP', () => {
  let slapd: Slapd;
  const started: TestService[] = [];
  const folders: string[] = [];
  beforeAll(async () => {
    slapd = await startSlapd([
      { suffix: 'dc=example,dc=com', ldif: exampleOf('ldif') },
      { suffix: 'DC=corp,DC=example', ldif: ACTIVE_DIRECTORY },
    ]);
  });
  afterEach(async () => {
    for (const service of started.splice(0)) await service.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  afterAll(() => slapd.close());

  /** Starts a service with an example of docs/ldap.md, and these texts in place of its own. */
  async function serviceWith(
    yaml: string,
    replaced: Readonly<Record<string, string>>,
  ): Promise<TestService> {
    let text = yaml.replace('<LDAP_PASSWORD>', 'reader-password');
    for (const [old, next] of Object.entries(replaced)) {
      expect(text).toContain(old);
      text = text.replace(old, next);
    }
    const folder = mkdtempSync(join(tmpdir(), 'hypha-ldap-'));
    folders.push(folder);
    writeFileSync(join(folder, 'application.yml'), text);
    const service = await startService({ env: { CONFIG_FILE: join(folder, 'application.yml') } });
    started.push(service);
    return service;
  }
  const CA = '/etc/hypha/ldap-ca.pem';
  const openLdap = (more: Readonly<Record<string, string>> = {}): Promise<TestService> =>
    serviceWith(exampleOf('yaml', '# application.yml'), {
      'ldaps://ldap.example.com:636': slapd.secureUrl,
      [CA]: slapd.caFile,
      ...more,
    });
  const activeDirectory = (more: Readonly<Record<string, string>> = {}): Promise<TestService> =>
    serviceWith(exampleOf('yaml', '# Active Directory'), {
      'ldap://dc1.corp.example ldap://dc2.corp.example': `ldap://127.0.0.1:1 ${slapd.url}`,
      [CA]: slapd.caFile,
      ...more,
    });
  const login = (service: TestService, email: string, password: string): Promise<Answer> =>
    service.api('POST', '/login', { token: null, body: { email, password } });
  const test = async (service: TestService, email: string): Promise<string[]> =>
    (await service.api('POST', '/api/ldap/test', { body: { email } })).body.map(
      ({ title, text }: Record<string, string>) => `${title}: ${text}`,
    );

  it('accepts the user of the example of docs/ldap.md over LDAPS', async () => {
    const service = await openLdap();
    const { status, body } = await login(service, 'ada@example.com', 'ada-password');
    expect(status).toBe(200);
    const user = await service.field(
      'query ($id: ID!) { user(id: $id) { authSource group { name } detail { name surname phoneNumber department organisation salutation } } }',
      { id: body.enhanceId },
    );
    expect(user).toEqual({
      authSource: 'LDAP',
      group: { name: 'Admin' },
      detail: {
        name: 'Ada',
        surname: 'Lovelace',
        phoneNumber: '+44 20 7946 0000',
        department: 'Engines',
        organisation: 'Analytical Ltd',
        salutation: 'Dr.',
      },
    });
    expect((await login(service, 'ada@example.com', 'wrong')).status).toBe(401);
    expect((await login(service, 'ada@example.com', '')).status).toBe(401);
    expect((await login(service, '*', 'ada-password')).status).toBe(401);
    const shown = await test(service, 'ada@example.com');
    expect(
      shown.map((line) => line.replace(slapd.secureUrl, 'ldaps://ldap.example.com:636')),
    ).toEqual([...PAGE.matchAll(/^ok {6}(.*)$/gm)].map(([, line]) => line));
    expect(await service.status('POST', '/api/ldap/test', { body: {} })).toBe(200);
  });

  it('accepts a name with commas and parentheses over StartTLS, at the second server', async () => {
    const service = await activeDirectory();
    const { status, body } = await login(service, 'john.doe@corp.example', 'john-password');
    expect(status).toBe(200);
    const user = await service.field(
      'query ($id: ID!) { user(id: $id) { group { name } detail { name } } }',
      { id: body.enhanceId },
    );
    expect(user).toEqual({ group: { name: 'Admin' }, detail: { name: 'John' } });
    const shown = await test(service, 'john.doe@corp.example');
    expect(shown[0]).toContain('127.0.0.1:1 cannot be reached (ECONNREFUSED)');
    expect(shown.at(-1)).toContain('"CN=Integration (EMEA),OU=Groups,DC=corp,DC=example" gives');
  });

  it('accepts a user without a mail attribute, and follows no referral', async () => {
    const service = await activeDirectory({ '(mail={0})': '(|(mail={0})(uid={0}))' });
    // The search finds a reference to its own base, too.
    const { status, body } = await login(service, 'nomail', 'nomail-password');
    expect(status).toBe(200);
    const user = await service.field(
      'query ($id: ID!) { user(id: $id) { email group { name } detail { name surname } } }',
      { id: body.enhanceId },
    );
    expect(user).toEqual({
      email: 'nomail',
      group: { name: 'User' },
      detail: { name: null, surname: 'Mail' },
    });
    expect((await login(service, 'nomail', '')).status).toBe(401);
  });

  it('has one account for all addresses of an entry, by its entryUUID', async () => {
    const service = await activeDirectory({ '(mail={0})': '(|(mail={0})(cn={0}))' });
    const names = ['jd@Bücher.example', 'john.doe@corp.example', 'Doe, John (Sales) #1'];
    const ids: number[] = [];
    for (const name of names)
      ids.push((await login(service, name, 'john-password')).body.enhanceId);
    expect(ids).toEqual(Array(3).fill(expect.any(Number)));
    expect(new Set(ids).size).toBe(1);
    const auditEvents = await service.field(
      '{ auditEvents(first: 1, filter: { action: { eq: USER_CREATE } }) { nodes { after } } }',
    );
    expect(auditEvents.nodes[0].after.directoryKeys).toEqual([
      expect.stringMatching(/^entryUUID=[0-9a-f-]{36}$/),
      expect.stringMatching(/^dn=/),
    ]);
  });

  it('reads all groups of a user in more than 1,000', async () => {
    const service = await activeDirectory();
    const { status, body } = await login(service, 'many@corp.example', 'many-password');
    expect(status).toBe(200);
    const user = await service.field('query ($id: ID!) { user(id: $id) { group { name } } }', {
      id: body.enhanceId,
    });
    expect(user.group.name).toBe('Admin');
    expect((await test(service, 'many@corp.example')).at(-2)).toContain('and 1181 more');
  });

  it('compares the names of groups by the rules of LDAP', async () => {
    const service = await activeDirectory({
      'CN=Integration (EMEA),OU=Groups,DC=corp,DC=example':
        'cn=integration  \\28emea\\29, ou=groups, dc=CORP, dc=example',
    });
    const shown = await test(service, 'john.doe@corp.example');
    expect(shown.at(-1)).toContain('gives the role "Admin"');
  });

  it('refuses a name that two entries have', async () => {
    const service = await activeDirectory();
    expect((await login(service, 'twin@corp.example', 'twin-password')).status).toBe(401);
    expect((await test(service, 'twin@corp.example')).at(-1)).toContain('Several entries match');
  });

  it.each([
    ['ldaps', 'https'],
    ['StartTLS', 'plain'],
  ])('sends nothing over %s with a certificate that is not trusted', async (way) => {
    const service = await (way === 'ldaps' ? openLdap : activeDirectory)({
      [CA]: slapd.otherCaFile,
    });
    const { status, body } = await login(service, 'ada@example.com', 'ada-password');
    expect([status, body.message]).toEqual([503, 'LDAP_UNAVAILABLE']);
    expect(service.logs.map(({ reason }) => reason)).toContain('TLS_FAILED');
  });

  it.each([
    ['ldaps', openLdap],
    ['StartTLS', activeDirectory],
  ])('sends nothing over %s with a certificate of another host', async (_way, start) => {
    const other = await startSlapd([], 'DNS:elsewhere.example');
    try {
      const service = await start({
        [start === openLdap ? slapd.secureUrl : slapd.url]:
          start === openLdap ? other.secureUrl : other.url,
        [slapd.caFile]: other.caFile,
      });
      const { status } = await login(service, 'ada@example.com', 'ada-password');
      expect(status).toBe(503);
      expect(JSON.stringify(service.logs)).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    } finally {
      await other.close();
    }
  });

  it.each([
    ['Connect', { [CA]: '/nowhere/ca.pem' }],
    ['Bind', { 'cn=reader,dc': 'cn=writer,dc' }],
    ['User search: The search base', { 'ou=users': 'ou=people' }],
    ['User search: No entry below', { '(mail={0})': '(cn={0})' }],
    ['Group search: The search base', { 'base: ou=groups': 'base: ou=teams' }],
    ['Mapping', { 'oc-role: Admin': 'oc-role: Owners' }],
  ])('explains a failure at the stage %s', async (title, replaced) => {
    const service = await openLdap(replaced);
    expect((await test(service, 'ada@example.com')).at(-1)).toMatch(new RegExp(`^${title}`));
  });

  it('works again after it was down, without affecting local users', async () => {
    const service = await openLdap();
    await slapd.stop();
    const down = await login(service, 'ada@example.com', 'ada-password');
    expect(down.body.message).toBe('LDAP_UNAVAILABLE');
    await service.userWith(['MYPROFILE:READ']);
    await slapd.start();
    await until(async () => {
      const { status } = await login(service, 'ada@example.com', 'ada-password');
      if (status !== 200) expect(status).toBe(503);
      return status === 200;
    });
  });
});
