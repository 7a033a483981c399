import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { findingsAbout } from './finding';
import type { Finding } from './finding';

const { well, wrong } = findingsAbout('port');
const LISTENING = '0A';

/** Checks whether the port is free, held by the service, or held by another process. */
export async function portFindings(
  host: string,
  port: number,
  servicePid: number | undefined,
): Promise<Finding[]> {
  if (port === 0) return [well('Any free port is taken (0).')];
  const code = await refusal(host, port);
  if (code === null) return [well(`${host}:${port} is free.`)];
  if (code !== 'EADDRINUSE') return [wrong(`${host}:${port} cannot be listened on: ${code}.`)];
  const holders = holdersOf(port);
  if (servicePid !== undefined && holders.some(({ pid }) => pid === servicePid))
    return [well(`${host}:${port} is held by the service (pid ${servicePid}).`)];
  const who = holders.map(({ pid, name }) => `pid ${pid} (${name})`).join(', ');
  return [
    wrong(
      `${host}:${port} is taken by ${who === '' ? 'another program, which this user may not see' : who}. Stop it, or choose another port with PORT.`,
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
