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

/** A run that no webhook started has none. */
const NO_PARAMETERS: ValueMap = {};
const ONCE: RetryPolicy = { retries: 0, backoffMs: 0 };

/** Everything that belongs to one run while it lasts. */
export interface RunContext {
  readonly ports: Ports;
  readonly limits: RunLimits;
  readonly stepTimeoutMs: number;
  readonly retrying: RetryPolicy;
  readonly stop: StopSwitch;
  readonly events: EventLog;
  readonly answers: Answers;
  /** For aggregators. */
  readonly collected: Collected;
  /** Outermost first; loops push and pop. */
  readonly loops: LoopFrame[];
  readonly scope: Scope;
  readonly secrets: RunSecrets;
  readonly destinations: SecretDestinations;
  /** Of the connectors. */
  readonly credentials: Credentials;
  /** Null when the run is not recorded. */
  readonly segments: SegmentRecorder | null;
  readonly breather: Breather;
  /** What the scripts of the step left that is executed now. */
  scriptResults: readonly Value[];
  /** True when the answers that are kept have been searched for secrets. */
  hasLearned: boolean;
  /** Methods executed so far. */
  steps: number;
  /** Turns of all loops so far. */
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
      // Put in for one request, when it is known where that goes.
      secret: () => MASK,
      scriptResult: (script) => context.scriptResults[script] ?? null,
      // The request of a step is given them.
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

/** A limit that is given as undefined is not given. */
function withDefaults(limits: Partial<RunLimits>): RunLimits {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(given) };
}

export const turnsOf = (context: RunContext): number[] => context.loops.map((frame) => frame.turn);
