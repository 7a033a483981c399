import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import { EngineError, headerValue, readParameters, runWorkflow } from '../../../engine';
import type { EventPlace, HttpPort, OutboundResponse, RunError, RunEvent } from '../../../engine';
import type { Scripts } from '../../../platform/scripts';
import { wholeRunError } from '../run-error-codes';
import { RuleMask } from '../../../platform/masking/rule-mask';
import { elementLine } from '../logs/element-line';
import { markingCallsHome } from './calls-home';
import type { EventBatches } from './event-batches';
import { withoutRuled } from './ruled-events';
import type {
  EventRow,
  ExecutionLimits,
  RunFault,
  RunOutcome,
  RunTask,
  StepCall,
  Supervision,
} from './run-engine';
import { gated, gatedWebhooks } from './send-gate';
import type { SendGate } from './send-gate';
import { WEBHOOK_CALLS, webhookTokenIn } from '../../../platform/secrets';
import type { CallsHome } from './calls-home';

/**
 * Maximum characters of a text in the error of a run: step names may have millions, and every list
 * of runs shows the error.
 */
const LONGEST = 8_192;

const cut = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;

/** Shortens the error for storage. Secrets are already hidden, so none is cut in half. */
const toldError = ({ step, index, message, ...error }: RunError): RunError => ({
  step: step && cut(step),
  index: index && cut(index),
  ...error,
  message: cut(message),
});

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST']);
const ALLOWED = [...METHODS].join(', ');
const NOT_FOUND = 404;
const METHOD_NOT_ALLOWED = 405;

const answer = (status: number, headers: OutboundResponse['headers'] = {}): OutboundResponse => ({
  status,
  headers,
  body: Buffer.alloc(0),
});

/**
 * Sends the requests of WEBHOOK steps. Webhooks of this service are started directly, whichever
 * host name the URL has; all other URLs are called over HTTP.
 * @param start returns the status that HTTP would return; null if it is not a webhook of the
 * service
 */
function callingOwnWebhooks(
  http: HttpPort,
  { addresses }: Pick<CallsHome, 'addresses'>,
  start: (call: StepCall) => Promise<number | null>,
): HttpPort {
  const homes = addresses.map((address) => `${address}api${WEBHOOK_CALLS}`);
  return {
    async send(request, signal) {
      const url = URL.canParse(request.url) ? new URL(request.url) : null;
      const token = url && webhookTokenIn(url.href);
      if (url === null || token === null) return http.send(request, signal);
      const isElsewhere = !homes.some((home) => url.href.startsWith(home));
      if (!METHODS.has(request.method))
        return isElsewhere
          ? http.send(request, signal)
          : answer(METHOD_NOT_ALLOWED, { allow: ALLOWED });
      const status = await start({
        token,
        isElsewhere,
        search: url.search,
        body: request.body === undefined ? null : String(request.body),
        contentType: headerValue(request.headers, 'content-type'),
      });
      if (status === null) return http.send(request, signal);
      if (status === NOT_FOUND)
        throw new EngineError(
          'WEBHOOK_NOT_FOUND',
          'There is no webhook at the address of the step.',
        );
      return answer(status);
    },
  };
}

/** Maximum bytes of one event: names of steps and conditions have no length limit. */
const MOST_OF_AN_EVENT = 8 * 1024 * 1024;

export interface Surroundings {
  readonly http: HttpPort;
  readonly scripts: Scripts;
  readonly clock: { now(): Date };
  readonly limits: ExecutionLimits;
  readonly signal: AbortSignal;
  readonly startWebhook: Supervision['startWebhook'];
  readonly gate: SendGate;
}

/** Executes a run in this process. When it resolves, its events are sent or in the outcome. */
export async function executeTask(
  task: RunTask,
  batches: EventBatches,
  { http, scripts, clock, limits, signal, startWebhook, gate }: Surroundings,
): Promise<RunOutcome> {
  const { maxStoredBytes, ...ofEngine } = limits;
  const {
    document,
    secrets,
    connectors,
    aggregators,
    parameters,
    callsHome,
    rules: given,
    ...options
  } = task;
  const rules = given.length > 0 ? new RuleMask(given) : null;
  using ofRun = scripts.open();
  let bytes = 0;
  const emit = (emitted: RunEvent, { sequence, at }: EventPlace): void | Promise<void> => {
    // Stored together with the final state, by the process that started the run.
    if (emitted.kind === 'RunFinished') return;
    gate.current.see(emitted);
    const event = rules === null ? emitted : withoutRuled(emitted, rules);
    const element = task.recordSegments ? elementLine(event, { sequence, at }) : null;
    const row: EventRow = {
      sequence,
      at,
      kind: event.kind,
      body: JSON.stringify(event),
      ...(element !== null && { element }),
    };
    const size = Buffer.byteLength(row.body) + (element === null ? 0 : Buffer.byteLength(element));
    // The store rejects larger records, together with those of other runs in the same batch.
    if (size > MOST_OF_AN_EVENT)
      throw new EngineError(
        'RUN_TOO_LARGE',
        `An event of the run is larger than ${MOST_OF_AN_EVENT} bytes.`,
      );
    bytes += size;
    if (bytes > maxStoredBytes)
      throw new EngineError(
        'RUN_TOO_LARGE',
        `The events of the run are larger than ${maxStoredBytes} bytes together.`,
      );
    return batches.add(row);
  };
  const started = parameters === null ? {} : readParameters(parameters);
  if (started instanceof EngineError)
    return {
      state: 'FAILED',
      error: wholeRunError(started.code, started.message),
      steps: 0,
      values: [],
      rest: [],
      fault: null,
    };
  const marking = markingCallsHome(gated(http, gate), callsHome);
  const ports = {
    http: marking,
    webhooks: callingOwnWebhooks(marking, callsHome, gatedWebhooks(startWebhook, gate)),
    scripts: ofRun,
    clock,
    secrets,
    connectors,
    aggregators,
    ruledValues: rules === null ? undefined : ruledValuesOf(rules),
    emit,
    flush: () => batches.flush(),
  };
  const { state, error, steps, values, cause } = await runWorkflow(document, ports, {
    ...options,
    parameters: started,
    signal,
    limits: ofEngine,
  });
  return {
    state,
    error: error
      ? toldError({ ...error, message: rules?.text(error.message) ?? error.message })
      : null,
    steps,
    values,
    rest: batches.rest(),
    fault: cause === undefined ? null : faultOf(cause),
  };
}

const ruledValuesOf =
  (rules: RuleMask) =>
  (text: string, contentType: string | null): readonly string[] =>
    contentType === null ? rules.valuesInText(text) : rules.valuesInBody(text, contentType);

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

/** Restores the error for the log. */
export const errorOf = ({ name, message, stack, code }: RunFault): Error =>
  Object.assign(new Error(message), { name, stack }, code === null ? {} : { code });
