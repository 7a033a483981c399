import {
  accessSync,
  constants,
  existsSync,
  statSync,
  readFileSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { readDiskSpaceSync } from '../../platform/files/disk-space';
import { formatBytes } from '../../platform/text/bytes';

/** A result of the doctor. An error keeps the service from working. */
export interface Finding {
  readonly about:
    'runtime' | 'configuration' | 'directory' | 'store' | 'redis' | 'port' | 'service' | 'client';
  readonly level: 'ok' | 'warning' | 'error';
  readonly text: string;
}

export const findingsAbout = (about: Finding['about']) => ({
  ok: (text: string): Finding => ({ about, level: 'ok', text }),
  warning: (text: string): Finding => ({ about, level: 'warning', text }),
  error: (text: string): Finding => ({ about, level: 'error', text }),
});

const OLDEST_NODE = [20, 19] as const;
const OLDEST_GLIBC = [2, 34] as const;
const runtimeFinding = findingsAbout('runtime');

export function runtimeFindings(): Finding[] {
  const { node } = process.versions;
  const findings = [
    reaches(node, OLDEST_NODE)
      ? runtimeFinding.ok(`Node ${node}`)
      : runtimeFinding.error(
          `Node ${node} is older than ${OLDEST_NODE.join('.')}, the oldest supported version.`,
        ),
  ];
  if (process.platform !== 'linux') return findings;
  const glibc = glibcVersion();
  if (glibc === undefined)
    return [
      ...findings,
      runtimeFinding.error(
        'This Linux has no glibc, which the embedded store requires (2.34 or newer).',
      ),
    ];
  return [
    ...findings,
    reaches(glibc, OLDEST_GLIBC)
      ? runtimeFinding.ok(`glibc ${glibc}`)
      : runtimeFinding.error(
          `glibc ${glibc} is older than ${OLDEST_GLIBC.join('.')}, which the embedded store requires.`,
        ),
  ];
}

function reaches(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor, ownMinor] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function glibcVersion(): string | undefined {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}

const directoryFinding = findingsAbout('directory');

/** Checks the data directory: existence, owner, permissions, write access, free space. */
export function directoryFindings(dir: string): Finding[] {
  try {
    return existsSync(dir) ? ofExisting(dir) : ofMissing(dir);
  } catch (error) {
    return [
      directoryFinding.error(
        `${dir} cannot be inspected: ${error instanceof Error ? error.message : String(error)}`,
      ),
    ];
  }
}

function ofMissing(dir: string): Finding[] {
  let parent = dirname(dir);
  while (!existsSync(parent)) parent = dirname(parent);
  if (!statSync(parent).isDirectory())
    return [directoryFinding.error(`${dir} cannot be created: ${parent} is a file.`)];
  return [
    mayWrite(parent)
      ? directoryFinding.ok(`${dir} does not exist yet; the first start creates it.`)
      : directoryFinding.error(
          `${dir} does not exist, and this user may not create it in ${parent}.`,
        ),
  ];
}

function ofExisting(dir: string): Finding[] {
  const stat = statSync(dir);
  if (!stat.isDirectory()) return [directoryFinding.error(`${dir} is a file, not a directory.`)];
  const self = process.getuid?.();
  const findings = [
    mayWrite(dir)
      ? directoryFinding.ok(`${dir}, writable`)
      : directoryFinding.error(`${dir} cannot be written to by this user.`),
  ];
  if (self !== undefined && stat.uid !== self)
    findings.push(
      directoryFinding.warning(
        `${dir} belongs to the user with the id ${stat.uid}, and this command runs as ${self}.`,
      ),
    );
  if ((stat.mode & 0o077) !== 0)
    findings.push(
      directoryFinding.warning(
        `${dir} has the mode ${(stat.mode & 0o777).toString(8)}: other users can read it. Run \`chmod 700\` on it.`,
      ),
    );
  const { freeBytes, level } = readDiskSpaceSync(dir);
  const text = `${formatBytes(freeBytes)} free on its disk`;
  return [
    ...findings,
    level === 'too-little'
      ? directoryFinding.error(
          `Only ${text}. Below 64 MiB (an eighth of a smaller disk) the service serves only deletes, sign-in, sign-out and reads.`,
        )
      : level === 'little'
        ? directoryFinding.warning(`Only ${text}.`)
        : directoryFinding.ok(text),
  ];
}

function mayWrite(dir: string): boolean {
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const portFinding = findingsAbout('port');
const LISTENING = '0A';

/** Checks whether the port is free, held by the service, or held by another process. */
export async function portFindings(
  host: string,
  port: number,
  servicePid: number | undefined,
): Promise<Finding[]> {
  if (port === 0) return [portFinding.ok('Port 0: the service uses any free port.')];
  const code = await refusal(host, port);
  if (code === null) return [portFinding.ok(`${host}:${port} is free.`)];
  if (code !== 'EADDRINUSE') return [portFinding.error(`${host}:${port} cannot be used: ${code}.`)];
  const holders = holdersOf(port);
  if (servicePid !== undefined && holders.some(({ pid }) => pid === servicePid))
    return [portFinding.ok(`${host}:${port} is held by the service (pid ${servicePid}).`)];
  const who = holders.map(({ pid, name }) => `pid ${pid} (${name})`).join(', ');
  return [
    portFinding.error(
      `${host}:${port} is taken by ${who === '' ? 'a process of another user' : who}. Stop it, or choose another port with PORT.`,
    ),
  ];
}

function refusal(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** Returns the processes that listen on a port, as far as /proc shows them. */
function holdersOf(port: number): { pid: number; name: string }[] {
  const inodes = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap((table) =>
        quietly(() => readFileSync(table, 'utf8'), '')
          .split('\n')
          .slice(1),
      )
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, local = '', , state]) =>
          state === LISTENING && parseInt(local.split(':')[1] ?? '', 16) === port,
      )
      .map((fields) => `socket:[${fields[9]}]`),
  );
  if (inodes.size === 0) return [];
  const pids = quietly(() => readdirSync('/proc'), []).filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) =>
      quietly(() => readdirSync(`/proc/${pid}/fd`), []).some((fd) =>
        inodes.has(quietly(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '')),
      ),
    )
    .map((pid) => ({
      pid: Number(pid),
      name: quietly(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), '?'),
    }));
}

function quietly<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
