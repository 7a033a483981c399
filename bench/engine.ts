import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { runWorkflow } from '../src/engine';
import type { Ports, WorkflowSnapshot } from '../src/engine';
import { createOutbound } from '../src/platform/outbound';
import type { BenchResult } from './result';

const STEPS = 200;
const WARM_UP = 6;
const ROUNDS = 9;
const color = (step: number): string => `#${step.toString(16).padStart(6, '0').toUpperCase()}`;

/** What a workflow costs beside its requests: a run of 200 steps against a bare client that makes the same requests in the same process. */
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
  const outbound = createOutbound({ timeoutMs: 30_000, maxResponseBytes: 20_000_000, maxRedirects: 5, deny: [], allow: [] });
  const agent = new Agent();
  const contenders = {
    bare: () => bareLoop(agent, origin),
    engine: () => workflowRun(origin, outbound, false),
    recorded: () => workflowRun(origin, outbound, true),
  };
  try {
    const times = await measure(contenders);
    return [
      ratio('engine: 200 steps against a bare undici loop', times.engine, times.bare),
      ratio('engine: the same run with recorded segments', times.recorded, times.bare),
      { name: 'engine: time added to one step', value: round(((median(times.engine) - median(times.bare)) / STEPS) * 1_000), unit: 'µs' },
    ];
  } finally {
    await Promise.all([outbound.close(), agent.destroy()]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Every contender once per round, forwards and backwards in turn, so that a slow moment of the machine hits all alike. */
async function measure<Name extends string>(contenders: Record<Name, () => Promise<void>>): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const started = performance.now();
      await contenders[name]();
      if (round >= WARM_UP) times[name].push(performance.now() - started);
    }
  }
  return times;
}

async function bareLoop(agent: Agent, origin: string): Promise<void> {
  let last = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const { body } = await agent.request({
      origin, path: `/step/${step}?last=${last}`, method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ step, last }),
    });
    last = ((await body.json()) as { id: number }).id;
  }
}

async function workflowRun(origin: string, outbound: Ports['http'], recordSegments: boolean): Promise<void> {
  const ports: Ports = { http: outbound, scripts: { evaluate: () => Promise.reject(new Error('no scripts')) }, emit: () => undefined, clock: { now: () => new Date() } };
  const result = await runWorkflow(workflow(origin), ports, { signal: new AbortController().signal, stepTimeoutMs: 30_000, recordSegments });
  if (result.steps !== STEPS) throw new Error(`The run made ${result.steps} steps: ${result.error?.message ?? result.state}`);
}

/** Each step reads the answer of the one before it, in its URL and in its body. */
function workflow(origin: string): WorkflowSnapshot {
  const methods = Array.from({ length: STEPS }, (_, step) => {
    const last = step === 0 ? '0' : `{%${color(step - 1)}.(response).body.id%}`;
    return {
      id: `step-${step}`, index: String(step), color: color(step), methodType: 'HTTP_REQUEST',
      request: { endpoint: `${origin}/step/${step}?last=${last}`, method: 'POST', header: {}, body: { type: 'object', format: 'json', fields: { step, last } } },
    };
  });
  return { fromConnector: { connectorId: -1, methods, operators: [] } };
}

function ratio(name: string, times: number[], base: number[]): BenchResult {
  const ratios = times.map((time, round) => time / base[round]);
  const detail = `${round(median(times))} ms against ${round(median(base))} ms; median of ${ROUNDS} rounds, ${round(Math.min(...ratios))} to ${round(Math.max(...ratios))}`;
  return { name, value: round(median(ratios)), unit: 'x', detail };
}

const median = (values: number[]): number => values.toSorted((left, right) => left - right)[values.length >> 1];
const round = (value: number): number => Math.round(value * 100) / 100;
