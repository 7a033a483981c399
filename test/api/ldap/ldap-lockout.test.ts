import { startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { BRANCHES, environment, READER, USERS } from '../../support/peers/ldap-directory';
import { startDirectory } from '../../support/peers/ldap-server';
import type { Entry, TestDirectory } from '../../support/peers/ldap-server';
import { movingClock } from '../../support/service/moving-clock';

const PASSWORD = 'secret of the directory';
const MAX_FAILURES = 5;
const clock = movingClock();

let entries: Entry[];
let directory: TestDirectory;
let service: TestService;
beforeAll(async () => {
  entries = [];
  directory = await startDirectory(entries);
  service = await startService({
    clock,
    env: {
      ...environment(directory.url),
      HYPHA_TRUSTED_PROXIES: 'loopback',
      SPRING_SECURITY_LDAP_USER_SEARCH_FILTER: '(|(mail={0})(uid={0})(proxyAddresses=smtp:{0}))',
    },
  });
});
afterAll(async () => {
  await service.close();
  await directory.close();
});

const statusOf = (email: string, password: string, address: string): Promise<number> =>
  service.status('POST', '/login', {
    token: null,
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });

/** A person with several names, and their distinguished name. */
function newPerson(): { names: readonly string[]; dn: string } {
  const uid = unique('ada');
  const dn = `uid=${uid},${USERS}`;
  const mail = [`${uid}@example.com`, `${uid}@xn--bcher-kva.example`];
  const proxyAddresses = `smtp:${uid}.lovelace@example.com`;
  const attributes = { uid, mail, proxyAddresses };
  entries.splice(0, Infinity, READER, ...BRANCHES, { dn, password: PASSWORD, attributes });
  const names = [uid, mail[0], `${uid}@Bücher.example`, mail[1], `${uid}.lovelace@example.com`];
  return { names: [...names, mail[0].toUpperCase()], dn };
}
const passwordsTried = (dn: string): number =>
  directory.requests.filter((request) => request === `bind ${dn}`).length;

describe.each([
  ['has an account', true],
  ['has no account yet', false],
])('a person of the directory who %s', (_title, hasAccount) => {
  it('is tried with few passwords under all names together', async () => {
    const { names, dn } = newPerson();
    const address = '203.0.113.1';
    if (hasAccount) expect(await statusOf(names[1], PASSWORD, '203.0.113.2')).toBe(200);
    const before = passwordsTried(dn);
    for (const name of names) expect(await statusOf(name, 'wrong', address)).toBe(401);
    expect(passwordsTried(dn) - before).toBe(MAX_FAILURES);
    for (const name of names) expect(await statusOf(name, PASSWORD, address)).toBe(401);
    expect(passwordsTried(dn) - before).toBe(MAX_FAILURES);
    expect(await statusOf(names[0], PASSWORD, '203.0.113.2')).toBe(200);
    clock.forward(30_000);
    expect(await statusOf(names[4], PASSWORD, address)).toBe(200);
    for (const name of names.slice(0, 2)) expect(await statusOf(name, PASSWORD, address)).toBe(200);
  });
});

describe('a locked person of the directory', () => {
  it('is answered like one who does not exist', async () => {
    const { names } = newPerson();
    const address = '203.0.113.3';
    for (let i = 0; i < MAX_FAILURES; i += 1) await statusOf(names[0], 'wrong', address);
    const statuses = async (name: string): Promise<number[]> => {
      const all: number[] = [];
      for (let i = 0; i <= MAX_FAILURES; i += 1) all.push(await statusOf(name, PASSWORD, address));
      return all;
    };
    const refused = [...Array<number>(MAX_FAILURES).fill(401), 429];
    expect(await statuses(`${unique('nobody')}@example.com`)).toEqual(refused);
    expect(await statuses(names[1])).toEqual(refused);
    expect(await statusOf(names[0], PASSWORD, address)).toBe(429);
  });

  it('is tried by concurrent attempts with few passwords more', async () => {
    const { names, dn } = newPerson();
    const attempts = [...names, ...names, ...names];
    await Promise.all(attempts.map((name) => statusOf(name, 'wrong', '203.0.113.4')));
    // Four conversations at most had begun before the last failure.
    expect(passwordsTried(dn)).toBeLessThan(MAX_FAILURES + 4);
  });
});
