import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments } from '../../../src/cli/arguments';
import { loadConfig } from '../../../src/config/load';
import { dnKey } from '../../../src/platform/outbound/ldap/distinguished-name';
import { parseFilterTemplate } from '../../../src/platform/outbound/ldap/filter-template';

describe('the settings', () => {
  const read = (yaml: string, env: Record<string, string> = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'hypha-ldap-'));
    try {
      writeFileSync(join(folder, 'application.yml'), yaml);
      return loadConfig(env, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('has the documented defaults, and no directory', () => {
    expect(read('').config.ldap).toEqual({
      urls: [],
      userSearchBase: '',
      groupSearchBase: '',
      username: null,
      password: null,
      userSearchFilter: '(mailPrimaryAddress={0})',
      groupSearchFilter: '(member={0})',
      groupRoles: [],
      defaultRole: 'User',
      timeoutMs: 30_000,
      showLogs: false,
      debug: false,
      caFile: null,
      startTls: false,
    });
  });

  const block = (under: string): string => `
spring:
  ${under}:
    ldap:
      urls: ldap://one.example ldaps://two.example:3636
      user-search-base: ou=users,dc=example,dc=com
      group-search-base: ou=groups,dc=example,dc=com
      username: cn=reader,dc=example,dc=com
      password: geheim
      group-search-filter: (uniqueMember={0})
      group-role-mapping:
        - ldap-group: cn=admins,ou=groups,dc=example,dc=com
          oc-role: Admin
        - { ldapGroup: "cn=staff,ou=groups,dc=example,dc=com", ocRole: User }
      timeout: "5000"
      show-logs: true
logging:
  level:
    org.springframework.security.ldap: DEBUG
`;

  it('reads the block of an installed release', () => {
    const { config, warnings } = read(block('security'));
    expect(config.ldap).toMatchObject({
      urls: ['ldap://one.example', 'ldaps://two.example:3636'],
      groupSearchFilter: '(uniqueMember={0})',
      groupRoles: [
        { group: 'cn=admins,ou=groups,dc=example,dc=com', role: 'Admin' },
        { group: 'cn=staff,ou=groups,dc=example,dc=com', role: 'User' },
      ],
      timeoutMs: 5_000,
      showLogs: true,
      debug: true,
    });
    expect(warnings).toEqual([]);
  });

  it('reads spring.data.ldap with a warning for each key', () => {
    const { config, warnings } = read(block('data'));
    expect(config.ldap.urls).toHaveLength(2);
    expect(warnings).toHaveLength(9);
    expect(warnings[0]).toBe(
      'spring.data.ldap.urls is the key of an older version. It is used; rename it to spring.security.ldap.urls.',
    );
  });

  it('warns of a mistyped key', () => {
    const { warnings } = read('spring: { security: { ldap: { user-serach-base: dc=x } } }');
    expect(warnings).toEqual([
      expect.stringContaining('Did you mean spring.security.ldap.user-search-base?'),
    ]);
  });

  it('reads the level OFF, which YAML turns into false, and the environment', () => {
    const off = 'logging: { level: { org.springframework.security.ldap: OFF } }';
    const mapping = JSON.stringify([{ 'ldap-group': 'cn=a,dc=b', 'oc-role': 'Admin' }]);
    const { config } = read(off, { SPRING_SECURITY_LDAP_GROUP_ROLE_MAPPING: mapping });
    expect(config.ldap.debug).toBe(false);
    expect(config.ldap.groupRoles).toEqual([{ group: 'cn=a,dc=b', role: 'Admin' }]);
  });

  it.each([
    ['urls: http://one.example', 'urls'],
    ['urls: ldap://one.example/dc=example', 'urls'],
    ['user-search-base: users', 'user-search-base'],
    ['user-search-filter: "(mail={0}"', 'user-search-filter'],
    ['user-search-filter: (mail=ada)', 'user-search-filter'],
    ['group-role-mapping: [{ ldap-group: admins, oc-role: Admin }]', 'group-role-mapping'],
    ['group-role-mapping: Admin', 'group-role-mapping'],
    ['timeout: 0', 'timeout'],
    ['{ urls: ldap://one.example, username: cn=a }', 'password'],
  ])('reports %s', (line, key) => {
    const yaml = `spring:\n  security:\n    ldap:\n      ${line}\n`;
    expect(() => read(yaml)).toThrow(`spring.security.ldap.${key}`);
  });
});

describe('distinguished names', () => {
  it.each([
    ['cn=admins,ou=groups,dc=example,dc=com', 'CN=Admins, OU=Groups , DC=EXAMPLE,DC=com'],
    ['cn=Müller,dc=x', 'CN=m\\C3\\BCller,DC=X'],
    ['cn=Doe\\, John,dc=x', 'cn="Doe, John",dc=x'],
    ['cn=Doe\\, John,dc=x', 'CN=Doe\\2C   john;DC=x'],
    ['CN=Sales (EMEA),DC=x', 'cn=sales \\28emea\\29,dc=x'],
    ['cn=a+uid=b,dc=x', 'UID=B + CN=A,dc=x'],
    ['2.5.4.3=a,dc=x', 'commonName=a,domainComponent=x'],
    ['oid.2.5.4.3=#040141,dc=x', 'cn=a,dc=x'],
    ['cn=a=b,dc=x', 'cn=a\\=b,dc=x'],
    ['cn=\\ a \\ ,dc=x', 'cn=a,dc=x'],
  ])('%s equals %s', (one, other) => {
    expect(dnKey(one)).not.toBeNull();
    expect(dnKey(one)).toBe(dnKey(other));
  });

  it.each([
    ['cn=a,dc=x', 'cn=a,dc=y'],
    ['cn=a,dc=x', 'ou=a,dc=x'],
    ['cn=a,dc=x', 'cn=a'],
    ['cn=a\\,dc=x', 'cn=a,dc=x'],
    ['cn=a+uid=b,dc=x', 'cn=a,uid=b,dc=x'],
    ['cn=ab,dc=x', 'cn=a b,dc=x'],
  ])('%s differs from %s', (one, other) => {
    expect(dnKey(one)).not.toBe(dnKey(other));
  });

  it.each(['admins', 'cn', '=a', 'cn=a,', 'cn=a,,dc=x', 'cn="a', 'cn="a"b,dc=x', 'cn=a\\'])(
    '%s is none',
    (text) => expect(dnKey(text)).toBeNull(),
  );

  it('keeps any value that is escaped', () => {
    const values = [
      ',',
      '+',
      '"',
      '\\',
      ';',
      '<',
      '>',
      '=',
      '(',
      ')',
      '*',
      '#',
      '\0',
      'ä',
      '日本',
      ' ',
    ];
    for (const value of values) {
      const plain = `a${value}b`;
      const hex = [...Buffer.from(plain)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`);
      const escaped = plain.replaceAll(/[,+"\\;<>=]/g, (character) => `\\${character}`);
      expect(dnKey(`cn=${escaped},dc=x`)).toBe(dnKey(`cn=${hex.join('')},dc=x`));
    }
  });
});

describe('search filters', () => {
  it.each([
    ['(mail={0})', '*', '(mail=\\2a)'],
    ['mail={0}', 'a)(uid=*', '(mail=a\\29\\28uid=\\2a)'],
    [
      '(&(objectClass=person)(|(mail={0})(uid={0})))',
      'x',
      '(&(objectClass=person)(|(mail=x)(uid=x)))',
    ],
    ['(proxyAddresses=smtp:{0}*)', '(x', '(proxyAddresses=smtp:\\28x*)'],
    ['(!(mail={0}))', '$&', '(!(mail=$&))'],
    ['(member:1.2.840.113556.1.4.1941:={0})', 'cn=a', '(member:1.2.840.113556.1.4.1941:=cn=a)'],
    ['(mail={0}{0})', '{0}', '(mail={0}{0})'],
  ])('%s with %s is %s', (template, value, filter) => {
    expect(parseFilterTemplate(template)(value).toString()).toBe(filter);
  });

  it('decodes escaped UTF-8 of the configuration', () => {
    const filter = parseFilterTemplate('(&(ou=M\\c3\\bcnchen)(mail={0}))')('a');
    expect(filter.toString()).toBe(
      parseFilterTemplate('(&(ou=München)(mail={0}))')('a').toString(),
    );
  });

  it.each(['', '(mail=a)', '((mail={0})', '({0}=mail)', '(mail={0}))', 'x'.repeat(3_000)])(
    '%# is refused',
    (text) => expect(() => parseFilterTemplate(text)).toThrow(),
  );
});

it('the command line has `ldap test EMAIL`', () => {
  const invocation = { command: 'ldap test', email: 'ada@example.com' };
  expect(parseArguments(['ldap', 'test', 'ada@example.com'])).toEqual({ invocation });
});
