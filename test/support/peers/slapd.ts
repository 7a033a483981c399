import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isListening } from '../process';
import { until } from '../until';

const installed = (name: string): string | undefined =>
  ['/usr/sbin', '/usr/lib/openldap', '/usr/local/libexec', '/opt/homebrew/opt/openldap/libexec']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** The OpenLDAP server; undefined if it is not installed (Debian: `slapd`). */
export const SLAPD = installed('slapd');

const SCHEMAS = ['/etc/ldap/schema', '/etc/openldap/schema', '/opt/homebrew/etc/openldap/schema'];
const MODULES = '/usr/lib/ldap';

/** A directory below one suffix. */
interface Tree {
  readonly suffix: string;
  /** `OWN_URL` in it stands for the URL of the server. */
  readonly ldif: string;
}

export const OWN_URL = 'ldap://own-url';
const OWN_NAMES = 'IP:127.0.0.1,DNS:localhost';

export interface Slapd {
  readonly url: string;
  readonly secureUrl: string;
  /** PEM file of the authority that signed the certificate of the server. */
  readonly caFile: string;
  /** PEM file of another authority. */
  readonly otherCaFile: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const openssl = (folder: string, ...args: string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
};

/** Creates an authority and a certificate that it signs. */
function makeCertificates(folder: string, names: string): void {
  for (const name of ['ca', 'other'])
    openssl(
      folder,
      ...[
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '30',
        '-subj',
        `/CN=Test ${name}`,
      ],
      ...['-keyout', `${name}.key`, '-out', `${name}.pem`],
    );
  writeFileSync(join(folder, 'names'), `subjectAltName=${names}\n`);
  openssl(
    folder,
    ...['req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'],
    ...['-keyout', 'server.key', '-out', 'server.csr'],
  );
  openssl(
    folder,
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key'],
    ...['-CAcreateserial', '-days', '30', '-extfile', 'names', '-out', 'server.pem'],
  );
}

function configuration(folder: string, trees: readonly Tree[]): string {
  const schemas = SCHEMAS.find((path) => existsSync(path)) ?? '';
  return [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include ${schemas}/${name}.schema`),
    ...(existsSync(MODULES) ? [`modulepath ${MODULES}`, 'moduleload back_mdb'] : []),
    `pidfile ${folder}/pid`,
    `TLSCertificateFile ${folder}/server.pem`,
    `TLSCertificateKeyFile ${folder}/server.key`,
    ...trees.flatMap(({ suffix }, index) => [
      'database mdb',
      `suffix "${suffix}"`,
      `directory ${folder}/tree${index}`,
      // As Active Directory: many entries only in pages.
      'limits users size.soft=500 size.hard=500 size.prtotal=unlimited',
      'access to attrs=userPassword by anonymous auth by * none',
      'access to * by users read by anonymous auth',
    ]),
    '',
  ].join('\n');
}

/**
 * Starts an OpenLDAP server with these trees on loopback, in a temporary directory.
 * @param names subject names of its certificate
 */
export async function startSlapd(trees: readonly Tree[], names = OWN_NAMES): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-slapd-'));
  makeCertificates(folder, names);
  const [port, securePort] = [await freePort(), await freePort()];
  const url = `ldap://127.0.0.1:${port}`;
  const secureUrl = `ldaps://127.0.0.1:${securePort}`;
  const file = join(folder, 'slapd.conf');
  writeFileSync(file, configuration(folder, trees));
  for (const index of trees.keys()) mkdirSync(join(folder, `tree${index}`));
  for (const { suffix, ldif } of trees) {
    writeFileSync(join(folder, 'tree.ldif'), ldif.replaceAll(OWN_URL, url));
    const args = ['-f', file, '-b', suffix, '-l', join(folder, 'tree.ldif')];
    execFileSync(installed('slapadd') ?? 'slapadd', args, { stdio: 'pipe' });
  }
  let server: ChildProcess | null = null;
  const stop = async (): Promise<void> => {
    const running = server;
    server = null;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill();
    await ended;
  };
  const start = async (): Promise<void> => {
    server = spawn(SLAPD ?? 'slapd', ['-f', file, '-h', `${url}/ ${secureUrl}/`, '-d', '0'], {
      stdio: 'ignore',
    });
    const started = server;
    await until(() => {
      if (started.exitCode !== null) throw new Error(`slapd ended with ${started.exitCode}.`);
      return isListening(port);
    });
  };
  await start();
  return {
    url,
    secureUrl,
    caFile: join(folder, 'ca.pem'),
    otherCaFile: join(folder, 'other.pem'),
    stop,
    start,
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
