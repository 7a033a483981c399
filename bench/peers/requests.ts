import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CASES, PACKAGES, SERVERS, WITH_LRU } from './cases';
import type { Case, ServerName } from './cases';
import { fillDirectory } from './data';
import type { Caller } from './data';
import { isInstalled } from './installed';
import type { LoadRequest } from './load';
import { startLoad, startServer } from './servers';
import type { Load, RunningServer } from './servers';
import type { Row } from './table';

/** How often all servers are started, and how often each case is measured forwards and backwards at each start. */
export interface Effort {
  readonly restarts: number;
  readonly rounds: number;
  /** Time of one measurement, ms. */
  readonly measureMs: number;
  /** Times of the requests that are sent before: to a server after its start, and before each case, ms. */
  readonly startMs: number;
  readonly warmUpMs: number;
}

type Servers = Map<ServerName, RunningServer>;

/** Processor time of a request, µs, of each round. */
type Costs = Map<ServerName, number[]>;

/** Requests that are compared of each case. */
const COMPARED = 50;

/** Measures the cases that send requests. */
export async function measureRequests(names: readonly string[], effort: Effort): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-peers-'));
  const load = startLoad();
  try {
    const template = join(dir, 'template');
    const callers = await fillDirectory(template);
    for (const name of names) {
      const { requests, writer } = CASES[name];
      load.define(name, requests(callers));
      if (writer) load.define(writerOf(name), writer.requests(callers));
    }
    const costs = new Map(
      names
        .flatMap((name) => [name, writerOf(name)])
        .map((key) => [key, new Map<ServerName, number[][]>()]),
    );
    const memory = new Map<ServerName, number>();
    for (let restart = 0; restart < effort.restarts; restart += 1) {
      const servers = await startAll(names, template, join(dir, `start-${restart}`));
      try {
        for (const name of names) await compare(name, servers, callers);
        for (const [server, { url }] of servers) {
          const first = names.find((name) => CASES[name].servers.includes(server)) ?? '';
          await load.send({ send: first, origin: url, from: 0, ms: effort.startMs });
        }
        for (const name of names) {
          for (const key of CASES[name].writer ? [name, writerOf(name)] : [name])
            for (const [server, of] of await measure(name, key !== name, servers, load, effort))
              costs.get(key)?.set(server, [...(costs.get(key)?.get(server) ?? []), of]);
          if (name === 'documents')
            for (const [server, running] of servers) memory.set(server, running.memory());
        }
      } finally {
        await Promise.all([...servers.values()].map((server) => server.close()));
      }
    }
    const costsOf = (key: string) => costs.get(key) ?? new Map<ServerName, number[][]>();
    return names.flatMap((name) => rowsOf(name, costsOf(name), costsOf(writerOf(name)), memory));
  } finally {
    load.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function startAll(names: readonly string[], template: string, dir: string): Promise<Servers> {
  const serverNames = new Set(names.flatMap((name) => CASES[name].servers));
  const servers: Servers = new Map();
  for (const server of serverNames)
    if ((PACKAGES[WITH_LRU[server] ?? server] ?? []).every(isInstalled))
      servers.set(server, await startServer(server, template, join(dir, server)));
    else console.log(`  ${SERVERS[server]} is not installed and not measured.`);
  return servers;
}

/** @throws Error the answer of a peer differs from that of Hypha */
async function compare(name: string, servers: Servers, callers: readonly Caller[]): Promise<void> {
  const { servers: of, requests, varies } = CASES[name];
  const shown = (text: string): unknown => JSON.parse(varies ? text.replace(varies, '"":0') : text);
  for (const request of requests(callers).slice(0, COMPARED)) {
    const answers = new Map<ServerName, string>();
    for (const server of of) {
      const running = servers.get(server);
      if (!running) continue;
      if (server === 'ceiling') await running.prepare(request, answers.get('hypha') ?? '');
      answers.set(server, await answerOf(running.url, request));
    }
    const ours = answers.get('hypha') ?? '';
    if (/"errors"/.test(ours)) throw new Error(`${name} failed: ${ours.slice(0, 500)}`);
    for (const [server, text] of answers)
      if (!isDeepStrictEqual(shown(text), shown(ours)))
        throw new Error(
          `${name}: ${SERVERS[server]} answered ${text.slice(0, 1_000)}\n, Hypha ${ours.slice(0, 1_000)}`,
        );
  }
}

async function answerOf(
  origin: string,
  { method, path, token, body }: LoadRequest,
): Promise<string> {
  const headers = { authorization: token, 'content-type': 'application/json' };
  const answer = await fetch(origin + path, { method, headers, body });
  return answer.text();
}

const writerOf = (name: string): string => `${name} writer`;

/** All servers in turn, forwards and backwards. */
async function measure(
  name: string,
  isWritten: boolean,
  servers: Servers,
  load: Load,
  effort: Effort,
): Promise<Costs> {
  const writer = isWritten ? CASES[name].writer : undefined;
  const contenders = CASES[name].servers.filter(
    (server) => servers.has(server) && !(isWritten && server === 'ceiling'),
  );
  const next = new Map<ServerName, number>();
  const costs: Costs = new Map(contenders.map((server) => [server, []]));
  const send = async (server: ServerName, ms: number) => {
    const running = servers.get(server) as RunningServer;
    const from = next.get(server) ?? 0;
    const before = running.processor();
    const sent = await load.send({
      send: name,
      origin: running.url,
      from,
      ms,
      ...(writer &&
        (writer.onlyOf ?? server) === server && {
          writer: { name: writerOf(name), everyMs: writer.everyMs },
        }),
    });
    next.set(server, from + sent);
    return { cpu: running.processor() - before, sent };
  };
  for (const server of contenders) await send(server, effort.warmUpMs);
  for (let round = 0; round < effort.rounds; round += 1) {
    const forwards = new Map<ServerName, { cpu: number; sent: number }>();
    for (const server of contenders) forwards.set(server, await send(server, effort.measureMs));
    for (const server of contenders.toReversed()) {
      const [one, other] = [forwards.get(server), await send(server, effort.measureMs)];
      const [cpu, sent] = [(one?.cpu ?? 0) + other.cpu, (one?.sent ?? 0) + other.sent];
      costs.get(server)?.push((cpu / sent) * 1_000);
    }
  }
  return costs;
}

/** The rows of a case: each peer next to Hypha. */
function rowsOf(
  name: string,
  costs: ReadonlyMap<ServerName, number[][]>,
  costsWithWriter: ReadonlyMap<ServerName, number[][]>,
  memory: ReadonlyMap<ServerName, number>,
): Row[] {
  const { title, servers }: Case = CASES[name];
  const ours = (costs.get('hypha') ?? []).flat();
  const oursWithWriter = (costsWithWriter.get('hypha') ?? []).flat();
  return servers
    .filter((server) => server !== 'hypha' && costs.has(server))
    .map((server) => {
      const peerCosts = (costs.get(server) ?? []).flat();
      const size = (of: ServerName): string => `${Math.round(memory.get(of) ?? 0)} MB`;
      return {
        title,
        peer: SERVERS[server],
        unit: 'µs CPU/request',
        ours,
        theirs: peerCosts,
        ratios: peerCosts.map((cost, round) => cost / ours[round]),
        ratiosWithWriter: (costsWithWriter.get(server) ?? [])
          .flat()
          .map((cost, round) => cost / oursWithWriter[round]),
        ...(name === 'documents' && {
          note: `resident ${size('hypha')} and ${size(server)}`,
        }),
      };
    });
}
