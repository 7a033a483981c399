import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { runWorkflow } from '../src/engine';
import type { Ports } from '../src/engine';
import { createOutbound } from '../src/platform/outbound';
import { inTurn, median, round, wallMs } from './measure/in-turn';
import type { BenchResult } from './result';
import { bareChain, chain } from './runs/chain';

const STEPS = 200;
const WARM_UP = 6;
const ROUNDS = 9;

/** Cost of a workflow in addition to its requests: a run of 200 steps against a bare client that makes the same requests in the same process. */
export async function run(): Promise<BenchResult[]> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"id":7,"name":"a name","list":[1,2,3]}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outbound = createOutbound({
    timeoutMs: 30_000,
    maxResponseBytes: 20_000_000,
    maxRedirects: 5,
    deny: [],
    allow: [],
  });
  const agent = new Agent();
  const contenders = {
    bare: () => wallMs(() => bareChain(agent, origin, STEPS)),
    engine: () => wallMs(() => workflowRun(origin, outbound, false)),
    recorded: () => wallMs(() => workflowRun(origin, outbound, true)),
  };
  try {
    const times = await inTurn(contenders, { warmUp: WARM_UP, rounds: ROUNDS });
    return [
      ratio('engine: 200 steps against a bare undici loop', times.engine, times.bare),
      ratio('engine: the same run with recorded segments', times.recorded, times.bare),
      {
        name: 'engine: time added to one step',
        value: round(((median(times.engine) - median(times.bare)) / STEPS) * 1_000),
        unit: 'µs',
      },
    ];
  } finally {
    await Promise.all([outbound.close(), agent.destroy()]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function workflowRun(
  origin: string,
  outbound: Ports['http'],
  recordSegments: boolean,
): Promise<void> {
  const ports: Ports = {
    http: outbound,
    scripts: { evaluate: () => Promise.reject(new Error('no scripts')) },
    emit: () => undefined,
    clock: { now: () => new Date() },
  };
  const result = await runWorkflow(
    { fromConnector: { connectorId: -1, methods: chain(origin, STEPS), operators: [] } },
    ports,
    { signal: new AbortController().signal, stepTimeoutMs: 30_000, recordSegments },
  );
  if (result.steps !== STEPS)
    throw new Error(`The run made ${result.steps} steps: ${result.error?.message ?? result.state}`);
}

function ratio(name: string, times: number[], base: number[]): BenchResult {
  const ratios = times.map((time, round) => time / base[round]);
  const detail = `${round(median(times))} ms against ${round(median(base))} ms; median of ${ROUNDS} rounds, ${round(Math.min(...ratios))} to ${round(Math.max(...ratios))}`;
  return { name, value: round(median(ratios)), unit: 'x', detail };
}
