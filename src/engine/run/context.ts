import { MASK } from '../../platform/redaction';
import { Collected } from '../aggregators/collected';
import { Credentials } from '../connector/credentials';
import type { Ports, RetryPolicy, RunLimits, RunOptions, RunPart } from '../ports';
import type { Exchange, LoopFrame, Scope } from '../reference/scope';
import { parameterValue } from '../reference/webhook-parameter';
import type { Value, ValueMap } from '../value';
import { RunSecrets } from '../secrets/run-secrets';
import { SecretDestinations } from '../secrets/secret-destinations';
import type { CurrentStep } from './current-step';
import { EmptyReferences } from './empty-references';
import { EventLog } from './event-log';
import { FailureRecorder } from './failure-recorder';
import { Journal } from './journal';
import { Pause } from './race';
import { SegmentRecorder } from './segments';
import type { StopSwitch } from './stop';
import { EngineError } from '../errors';
import type { MethodNode, PlanNode } from '../plan/plan';

interface HeldAnswer {
  readonly exchange: Exchange;
  readonly bytes: number;
}

/**
 * Responses of the run by step and loop iterations. A reader in the same loops gets the response of
 * its own iterations; a reader in other loops gets that of the same positions (released versions
 * pair source and target loops this way).
 */
export class Answers {
  /** Answers of samples by colour, in every iteration. */
  samples: ReadonlyMap<string, Exchange> = new Map();
  private readonly byColor = new Map<
    string,
    { node: MethodNode; answers: Map<string, HeldAnswer> }
  >();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** @throws EngineError RUN_OUT_OF_MEMORY */
  keep(node: MethodNode, loops: readonly LoopFrame[], exchange: Exchange, bytes: number): void {
    if (node.color === null || node.keep === 'NONE') return;
    const entry = this.byColor.get(node.color) ?? { node, answers: new Map<string, HeldAnswer>() };
    this.byColor.set(node.color, entry);
    if (node.keep === 'TURN') this.forget(entry.answers);
    const key = keyOf(loops, node.loops.length);
    this.bytes += bytes - (entry.answers.get(key)?.bytes ?? 0);
    if (this.bytes > this.maxBytes) {
      throw new EngineError(
        'RUN_OUT_OF_MEMORY',
        `The responses that later steps refer to are larger than ${this.maxBytes} bytes together.`,
      );
    }
    entry.answers.set(key, { exchange, bytes });
  }

  find(color: string, loops: readonly LoopFrame[]): Exchange | undefined {
    const entry = this.byColor.get(color);
    if (entry === undefined) return this.samples.get(color);
    if (loops.length < entry.node.loops.length) return undefined;
    return entry.answers.get(keyOf(loops, entry.node.loops.length))?.exchange;
  }

  /** Yields all responses that later steps may read. */
  *all(): Generator<Exchange> {
    for (const { answers } of this.byColor.values())
      for (const { exchange } of answers.values()) yield exchange;
  }

  private forget(answers: Map<string, HeldAnswer>): void {
    for (const { bytes } of answers.values()) this.bytes -= bytes;
    answers.clear();
  }
}

/** Iterations of the outer loops; by name for keys, since objects may have different key orders. */
function keyOf(loops: readonly LoopFrame[], depth: number): string {
  let key = '#';
  for (let level = 0; level < depth; level += 1) {
    const frame = loops[level];
    key += frame.kind === 'ForIn' ? `,${JSON.stringify(frame.value)}` : `,${frame.turn}`;
  }
  return key;
}

export const DEFAULT_LIMITS: RunLimits = {
  maxLoopTurns: 100_000,
  maxTurns: 10_000_000,
  maxEvents: 1_000_000,
  maxKeptBytes: 128 * 1024 * 1024,
  maxAggregatedBytes: 16 * 1024 * 1024,
  maxRequestBytes: 50 * 1024 * 1024,
  maxResponseBytes: 50 * 1024 * 1024,
  maxSegmentLength: 64 * 1024,
};

/** Parameters of a run that no webhook started. */
const NO_PARAMETERS: ValueMap = {};
const ONCE: RetryPolicy = { retries: 0, backoffMs: 0 };

/** State of one run. */
export interface RunContext {
  readonly ports: Ports;
  readonly limits: RunLimits;
  readonly stepTimeoutMs: number;
  readonly retrying: RetryPolicy;
  readonly stop: StopSwitch;
  readonly events: EventLog;
  readonly answers: Answers;
  /** Parameters of the webhook that started the run. */
  readonly parameters: ValueMap;
  /** Calls kept for aggregators. */
  readonly collected: Collected;
  /** Running loops, outermost first. */
  readonly loops: LoopFrame[];
  readonly scope: Scope;
  readonly empties: EmptyReferences;
  readonly secrets: RunSecrets;
  readonly destinations: SecretDestinations;
  /** Connector field values. */
  readonly credentials: Credentials;
  /** Null if no other process can go on with the run. */
  readonly journal: Journal | null;
  /** Null if the run is not recorded. */
  readonly segments: SegmentRecorder | null;
  /** Null if the exchange of a failed step is not kept. */
  readonly failures: FailureRecorder | null;
  readonly pause: Pause;
  /** Null: the whole workflow is executed. */
  readonly part: RunPart | null;
  /** The part is executed: the run ends. */
  isDone: boolean;
  /** The step that began last; null before the first and after the last. */
  current: CurrentStep | null;
  /** Script results of the current step. */
  scriptResults: readonly Value[];
  /** Whether the kept responses have been searched for secrets. */
  hasLearned: boolean;
  /** Methods executed so far. */
  steps: number;
  /** Loop iterations so far. */
  turns: number;
}

export function createContext(
  plainPorts: Ports,
  options: RunOptions,
  stop: StopSwitch,
): RunContext {
  const journal = openJournal(plainPorts, () => context);
  const ports = journal?.ports(plainPorts) ?? plainPorts;
  const limits = withDefaults(options.limits ?? {});
  const loops: LoopFrame[] = [];
  const answers = new Answers(limits.maxKeptBytes);
  const empties = new EmptyReferences();
  const secrets = new RunSecrets();
  const destinations = new SecretDestinations();
  learnNamed(ports, secrets, destinations);
  const context: RunContext = {
    ports,
    limits,
    stepTimeoutMs: options.stepTimeoutMs,
    retrying: options.retrying ?? ONCE,
    stop,
    events: new EventLog(ports, secrets, limits.maxEvents),
    answers,
    parameters: options.parameters ?? NO_PARAMETERS,
    collected: new Collected(limits.maxAggregatedBytes),
    loops,
    empties,
    scope: {
      loops,
      exchange: (color) => answers.find(color, loops),
      webhookParameter(parameter) {
        const value = parameterValue(parameter, context.parameters, context.scope);
        if (value === null) empties.addParameter(parameter, context.current);
        return value;
      },
      onEmpty: (reference) => empties.add(reference, context.current, context.scope),
      // Filled in per request, once its target is known.
      secret: () => MASK,
      scriptResult: (script) => context.scriptResults[script] ?? null,
      // Set per request.
      given: () => null,
    },
    secrets,
    destinations,
    credentials: new Credentials(ports.connectors ?? new Map(), {
      http: journal?.calls(plainPorts.http, 'value') ?? ports.http,
      signal: stop.signal,
      secrets,
      destinations,
    }),
    journal,
    segments: options.recordSegments
      ? new SegmentRecorder(secrets, limits.maxSegmentLength, ports.ruledValues)
      : null,
    failures: options.recordFailure === true ? new FailureRecorder(secrets, ports) : null,
    pause: new Pause(),
    part: options.part ?? null,
    isDone: false,
    current: null,
    scriptResults: [],
    hasLearned: false,
    steps: 0,
    turns: 0,
  };
  return context;
}

function learnNamed(ports: Ports, secrets: RunSecrets, destinations: SecretDestinations): void {
  for (const secret of ports.secrets?.values() ?? []) {
    secrets.addNamed(secret.value);
    destinations.add(secret);
  }
}

const openJournal = ({ journal }: Ports, context: () => RunContext): Journal | null =>
  journal === undefined
    ? null
    : new Journal(
        journal,
        () => context().current,
        () => reportFull(context()),
      );

/** Says that the run cannot be resumed any more. */
function reportFull({ current, events }: RunContext): void {
  void events.later({
    kind: 'RunLog',
    level: 'WARN',
    stepId: current?.node.stepId ?? null,
    index: current?.node.index ?? null,
    ...(current && { loopIndex: current.loopIndex }),
    message:
      'The answers of the run are larger than its journal may be: from here on, the run cannot go on after its process ends.',
  });
}

/** Treats undefined limits as missing. */
function withDefaults(limits: Partial<RunLimits>): RunLimits {
  const limited = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(limited) };
}

export function enterStep(node: PlanNode, context: RunContext): CurrentStep {
  const current = { node, loopIndex: context.loops.map(({ turn }) => turn), attempt: 1 };
  context.current = current;
  return current;
}
