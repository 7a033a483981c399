import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import { EngineError, readParameters, runWorkflow } from '../../../engine';
import type {
  EventPlace,
  HttpPort,
  RuledValues,
  RunError,
  RunEvent,
  Ports,
  RunResult,
} from '../../../engine';
import { RuleMask } from '../../../platform/redaction';
import type { MaskingRule } from '../../../platform/redaction';
import type { Scripts } from '../../../platform/scripts';
import { elementLine } from '../logs/element-line';
import { wholeRunError } from '../run-error-codes';
import type { EventBatches } from './event-batches';
import type { JournalBatches } from './journal-batches';
import { callingOwnWebhooks, gated, gatedWebhooks, markOwnCalls } from './outgoing-calls';
import type { SendGate } from './outgoing-calls';
import { exchangeWithoutRuled, withoutRuled } from './ruled-events';
import { INTERRUPTED } from './run-engine';
import { RunTracer } from './run-tracer';
import type {
  EventRow,
  ExecutionLimits,
  RunFault,
  RunOutcome,
  RunTask,
  Supervision,
  TaskJournal,
} from './run-engine';

/**
 * Maximum characters of a text in the error of a run: step names may have millions, and every list
 * of runs shows the error.
 */
const MAX_ERROR_TEXT = 8_192;

const cut = (text: string): string =>
  text.length > MAX_ERROR_TEXT ? `${text.slice(0, MAX_ERROR_TEXT).toWellFormed()}…` : text;

/** Shortens the error for storage. Secrets are already hidden, so none is cut in half. */
const shortenError = ({ step, name, index, message, ...error }: RunError): RunError => ({
  step: step && cut(step),
  ...(name !== undefined && { name: cut(name) }),
  index: index && cut(index),
  ...error,
  message: cut(message),
});

/** Maximum bytes of one event: names of steps and conditions have no length limit. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;

interface Surroundings {
  readonly http: HttpPort;
  readonly scripts: Scripts;
  readonly clock: { now(): Date };
  readonly limits: ExecutionLimits;
  readonly signal: AbortSignal;
  readonly startWebhook: Supervision['startWebhook'];
  readonly gate: SendGate;
  readonly loadRules: Supervision['loadRules'];
  readonly journal?: JournalBatches;
  /** Receives the spans of a traced run. */
  readonly spans?: Supervision['spans'];
}

/** Executes a run in this process. When it resolves, its events are sent or in the outcome. */
export async function executeTask(
  task: RunTask,
  batches: EventBatches,
  surroundings: Surroundings,
): Promise<RunOutcome> {
  const { scripts, clock, signal, startWebhook, gate, journal } = surroundings;
  const { maxStoredBytes, ...limits } = surroundings.limits;
  const {
    document,
    secrets,
    connectors,
    aggregators,
    callMarking,
    rules: maskingRules,
    journal: _taken,
    ...options
  } = task;
  const rules = new RunRules(maskingRules, surroundings.loadRules);
  const parameters = task.parameters === null ? {} : readParameters(task.parameters);
  if (parameters instanceof EngineError)
    return failedOutcome(wholeRunError(parameters.code, parameters.message));
  using ofRun = scripts.open();
  const tracer = tracerOf(task, surroundings);
  const http = tracer?.calls(surroundings.http) ?? surroundings.http;
  const marking = markOwnCalls(gated(http, gate), callMarking);
  const rowOf = createRows(task.recordSegments, rules, maxStoredBytes);
  const ports = {
    http: marking,
    webhooks: callingOwnWebhooks(marking, callMarking, gatedWebhooks(startWebhook, gate)),
    scripts: ofRun,
    clock,
    secrets,
    connectors,
    aggregators,
    ruledValues: rules.mask === null ? undefined : ruledValuesOf(rules.mask),
    ...(!task.recordSegments && { loadRules: () => rules.load() }),
    emit: emitter(rowOf, batches, surroundings, task.journal),
    flush: () => batches.flush(),
    ...(tracer !== null && { steps: tracer }),
    ...(journal && { journal }),
  };
  const { state, error, exchange, steps, warnings, values, cause } = await runWorkflow(
    document,
    ports,
    {
      ...options,
      parameters,
      signal,
      limits,
    },
  );
  tracer?.finish();
  if (state === 'SUCCEEDED') journal?.drop();
  else journal?.flush();
  return {
    state,
    ...failureWithoutRuled({ error, exchange }, rules.mask),
    steps,
    warnings,
    values,
    rest: batches.rest(),
    fault: cause === undefined ? null : faultOf(cause),
  };
}

/** A run that goes on comes to the events that are stored already once more. */
const emitter =
  (
    rowOf: ReturnType<typeof createRows>,
    batches: EventBatches,
    { gate, signal, journal }: Surroundings,
    { storedEvents, resumes }: Partial<TaskJournal> = {},
  ): Ports['emit'] =>
  (event, place) => {
    // Stored together with the final state, by the process that started the run.
    if (event.kind === 'RunFinished') return;
    gate.current.see(event);
    const isStored = place.sequence <= (storedEvents ?? 0);
    // The end of a step that only ended with its process is none.
    if (isStored || (journal && signal.reason === INTERRUPTED)) return;
    return batches.add(rowOf(event, { ...place, sequence: place.sequence + (resumes ?? 0) }));
  };

function failureWithoutRuled(
  { error, exchange }: Pick<RunResult, 'error' | 'exchange'>,
  rules: RuleMask | null,
): Pick<RunOutcome, 'error' | 'exchange'> {
  const hidden = (text: string): string => rules?.text(text) ?? text;
  return {
    error: error
      ? shortenError({
          ...error,
          ...(error.name !== undefined && { name: hidden(error.name) }),
          message: hidden(error.message),
        })
      : null,
    ...(exchange && { exchange: rules ? exchangeWithoutRuled(exchange, rules) : exchange }),
  };
}

function tracerOf({ trace }: RunTask, { spans }: Surroundings): RunTracer | null {
  return trace?.span === undefined || spans === undefined ? null : new RunTracer(trace.span, spans);
}

/** @param cause for the log */
export const failedOutcome = (error: RunError, steps = 0, cause?: unknown): RunOutcome => ({
  state: 'FAILED',
  error,
  steps,
  warnings: 0,
  values: [],
  rest: [],
  fault: cause === undefined ? null : faultOf(cause),
});

/**
 * Converts the events of a run for storage.
 * @throws EngineError RUN_TOO_LARGE
 */
function createRows(
  recordSegments: boolean,
  rules: Pick<RunRules, 'mask'>,
  maxStoredBytes: number,
) {
  let bytes = 0;
  return (emitted: RunEvent, { sequence, at }: EventPlace): EventRow => {
    const event = rules.mask === null ? emitted : withoutRuled(emitted, rules.mask);
    const element = recordSegments ? elementLine(event, { sequence, at }) : null;
    const body = JSON.stringify(event);
    const size = Buffer.byteLength(body) + (element === null ? 0 : Buffer.byteLength(element));
    // The store rejects larger records, together with those of other runs in the same batch.
    if (size > MAX_EVENT_BYTES)
      throw new EngineError(
        'RUN_TOO_LARGE',
        `An event of the run is larger than ${MAX_EVENT_BYTES} bytes.`,
      );
    bytes += size;
    if (bytes > maxStoredBytes)
      throw new EngineError(
        'RUN_TOO_LARGE',
        `The events of the run are larger than ${maxStoredBytes} bytes together.`,
      );
    const row = { sequence, at, kind: event.kind, body };
    return element === null ? row : { ...row, element };
  };
}

const maskOf = (rules: readonly MaskingRule[]): RuleMask | null =>
  rules.length > 0 ? new RuleMask(rules) : null;

/** The masking rules of a run; those of a run that is not recorded are loaded when it needs them. */
class RunRules {
  mask: RuleMask | null;

  constructor(
    rules: readonly MaskingRule[],
    private readonly loader: Supervision['loadRules'],
  ) {
    this.mask = maskOf(rules);
  }

  async load(): Promise<RuledValues | null> {
    const rules = await this.loader();
    this.mask = maskOf(rules ?? []);
    return rules && ruledValuesOf(this.mask);
  }
}

const ruledValuesOf =
  (rules: RuleMask | null): RuledValues =>
  (text, contentType) =>
    rules === null
      ? []
      : contentType === null
        ? rules.valuesInText(text)
        : rules.valuesInBody(text, contentType);

/** The stack includes the causes. */
export function faultOf(cause: unknown): RunFault {
  if (!isNativeError(cause))
    return { name: 'Error', message: inspect(cause, { depth: 1 }), stack: '', code: null };
  const behind =
    cause.cause === undefined ? '' : `\ncaused by: ${inspect(cause.cause, { depth: 1 })}`;
  return {
    name: cause.name,
    message: cause.message,
    stack: `${cause.stack ?? ''}${behind}`,
    code: 'code' in cause ? String(cause.code) : null,
  };
}

export const errorOf = ({ name, message, stack, code }: RunFault): Error =>
  Object.assign(new Error(message), { name, stack }, code === null ? {} : { code });
