import { MASK } from '../../platform/secrets';
import { Collected } from '../aggregators/collected';
import { Credentials } from '../connector/credentials';
import type { Ports, RetryPolicy, RunLimits, RunOptions } from '../ports';
import type { LoopFrame, Scope } from '../reference/scope';
import { parameterValue } from '../reference/webhook-parameter';
import type { ValueMap } from '../value';
import { RunSecrets } from '../secrets/run-secrets';
import { SecretDestinations } from '../secrets/secret-destinations';
import type { Value } from '../value';
import { Answers } from './answers';
import { EventLog } from './event-log';
import { Breather } from './race';
import { SegmentRecorder } from './segments';
import type { StopSwitch } from './stop';

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
  /** Calls kept for aggregators. */
  readonly collected: Collected;
  /** Running loops, outermost first. */
  readonly loops: LoopFrame[];
  readonly scope: Scope;
  readonly secrets: RunSecrets;
  readonly destinations: SecretDestinations;
  /** Connector field values. */
  readonly credentials: Credentials;
  /** Null if the run is not recorded. */
  readonly segments: SegmentRecorder | null;
  readonly breather: Breather;
  /** Script results of the current step. */
  scriptResults: readonly Value[];
  /** Whether the kept responses have been searched for secrets. */
  hasLearned: boolean;
  /** Methods executed so far. */
  steps: number;
  /** Loop iterations so far. */
  turns: number;
}

export function createContext(ports: Ports, options: RunOptions, stop: StopSwitch): RunContext {
  const limits = withDefaults(options.limits ?? {});
  const loops: LoopFrame[] = [];
  const answers = new Answers(limits.maxKeptBytes);
  const secrets = new RunSecrets();
  const destinations = new SecretDestinations();
  for (const secret of ports.secrets?.values() ?? []) {
    secrets.learn.named(secret.value);
    destinations.add(secret);
  }
  const context: RunContext = {
    ports,
    limits,
    stepTimeoutMs: options.stepTimeoutMs,
    retrying: options.retrying ?? ONCE,
    stop,
    events: new EventLog(ports, secrets, limits.maxEvents),
    answers,
    collected: new Collected(limits.maxAggregatedBytes),
    loops,
    scope: {
      loops,
      exchange: (color) => answers.find(color, loops),
      webhookParameter: (parameter) =>
        parameterValue(parameter, options.parameters ?? NO_PARAMETERS, context.scope),
      // Filled in per request, once its target is known.
      secret: () => MASK,
      scriptResult: (script) => context.scriptResults[script] ?? null,
      // Set per request.
      given: () => null,
    },
    secrets,
    destinations,
    credentials: new Credentials(ports.connectors ?? new Map(), {
      http: ports.http,
      signal: stop.signal,
      secrets,
      destinations,
    }),
    segments: options.recordSegments
      ? new SegmentRecorder(secrets, limits.maxSegmentLength, ports.ruledValues)
      : null,
    breather: new Breather(),
    scriptResults: [],
    hasLearned: false,
    steps: 0,
    turns: 0,
  };
  return context;
}

/** Treats undefined limits as missing. */
function withDefaults(limits: Partial<RunLimits>): RunLimits {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(given) };
}

export const turnsOf = (context: RunContext): number[] => context.loops.map((frame) => frame.turn);
