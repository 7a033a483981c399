import { runWorkflow } from '../../../src/engine';
import type {
  EventPlace,
  MethodDoc,
  OperatorDoc,
  OutboundRequest,
  Ports,
  RunEvent,
  RunOptions,
  RunResult,
  WorkflowSnapshot,
} from '../../../src/engine';
import { createOutbound } from '../../../src/platform/outbound';
import type { Outbound, OutboundConfig } from '../../../src/platform/outbound';
import { createScripts } from '../../../src/platform/scripts';
import type { Scripts, ScriptsConfig } from '../../../src/platform/scripts';
import { freezePlan } from './frozen-plan';
import { built } from '../../support/service/built';
import { SANDBOX_PROGRAM } from '../../support/service/programs';

export const outboundConfig: OutboundConfig = {
  timeoutMs: 60_000,
  maxResponseBytes: 1_000_000,
  maxRedirects: 5,
  deny: [],
  allow: [],
};

export const scriptsConfig: ScriptsConfig = {
  timeoutMs: 120_000,
  memoryBytes: 64 * 1024 * 1024,
  polyglot: null,
  polyglotKey: 'hypha.polyglot.enabled',
};

export const openScripts = (config: Partial<ScriptsConfig> = {}): Scripts =>
  createScripts({ ...scriptsConfig, ...config }, built(SANDBOX_PROGRAM));

/** For workflows without a script. */
export const noScripts: Ports['scripts'] = {
  evaluate: () => Promise.reject(new Error('no scripts')),
};

/** A method of the type HTTP_REQUEST; colours are derived from the index unless given. */
export function httpStep(
  index: string,
  endpoint: string,
  more: Partial<MethodDoc> & { request?: MethodDoc['request'] } = {},
): MethodDoc {
  const { request, ...rest } = more;
  return {
    id: `m${index}`,
    index,
    name: `step ${index}`,
    color: colorOf(index),
    methodType: 'HTTP_REQUEST',
    connector: null,
    request: { endpoint, method: 'GET', ...request },
    ...rest,
  };
}

export const jsonBody = (fields: unknown) => ({
  type: 'object',
  format: 'json',
  data: 'raw',
  fields,
});

/** `#0000xx` with the digits of the index. */
export function colorOf(index: string): string {
  return `#${index.replaceAll('_', 'F').padStart(6, '0').slice(-6)}`;
}

export const reference = (index: string, path: string): string => `{%${colorOf(index)}.${path}%}`;

export const ifStep = (index: string, expression: string): OperatorDoc => ({
  id: `o${index}`,
  index,
  type: 'if',
  expression,
});
export const loopStep = (index: string, expression: string, iterator: string): OperatorDoc => ({
  id: `o${index}`,
  index,
  type: 'loop',
  expression,
  iterator,
});

export function workflow(...steps: (MethodDoc | OperatorDoc)[]): WorkflowSnapshot {
  const isMethod = (step: MethodDoc | OperatorDoc): step is MethodDoc => 'request' in step;
  return {
    fromConnector: {
      connectorId: -1,
      methods: steps.filter(isMethod),
      operators: steps.filter((step) => !isMethod(step)),
    },
    fieldBinding: [],
  };
}

/** An event with its number. */
export type RunEventBody = RunEvent & EventPlace;

export interface Run extends RunResult {
  readonly events: RunEventBody[];
}

/** Runs a workflow with the real outbound client and collects its events. */
export async function run(
  snapshot: WorkflowSnapshot,
  outbound: Outbound,
  options: Partial<RunOptions> = {},
  onEvent?: (event: RunEventBody) => void,
): Promise<Run> {
  return runWith(snapshot, { http: outbound }, options, onEvent);
}

export async function runWith(
  snapshot: WorkflowSnapshot,
  ports: Partial<Ports>,
  options: Partial<RunOptions> = {},
  onEvent?: (event: RunEventBody) => void,
): Promise<Run> {
  const events: RunEventBody[] = [];
  const emit: Ports['emit'] = (event, place) => {
    const numbered = { ...event, ...place };
    events.push(numbered);
    onEvent?.(numbered);
  };
  const all: Ports = {
    http: { send: () => Promise.reject(new Error('no http')) },
    scripts: noScripts,
    emit,
    clock: { now: () => new Date() },
    ...ports,
  };
  freezePlan(snapshot, all.connectors);
  const result = await runWorkflow(snapshot, all, {
    signal: new AbortController().signal,
    stepTimeoutMs: 5_000,
    recordSegments: true,
    ...options,
  });
  return { ...result, events };
}

/** An HTTP port that answers from a function. */
export function answering(answer: (request: OutboundRequest) => unknown): Ports['http'] {
  return {
    send: async (request) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(answer(request) ?? null)),
    }),
  };
}

export const ofKind = <Kind extends RunEventBody['kind']>(
  run: Run,
  kind: Kind,
): Extract<RunEventBody, { kind: Kind }>[] =>
  run.events.filter((event): event is Extract<RunEventBody, { kind: Kind }> => event.kind === kind);

export const openOutbound = (config: Partial<OutboundConfig> = {}): Outbound =>
  createOutbound({ ...outboundConfig, ...config });
