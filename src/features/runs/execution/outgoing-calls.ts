import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError, headerValue } from '../../../engine';
import type { HttpPort, OutboundResponse, RunEvent } from '../../../engine';
import { WEBHOOK_CALLS, webhookTokenIn } from '../../../platform/secrets';
import type { EventBatches } from './event-batches';
import type { CallMarking, StepCall, StepPlace, Supervision } from './run-engine';

/**
 * Scheme and host that every URL parser reads the same way: plain characters up to the path or
 * query.
 */
const SPELLED_OUT = /^https?:\/\/[\w.:-]+(?=[/?#])/;

function placeOf(url: URL): string {
  if (url.username === '' && url.password === '') return url.href;
  const place = new URL(url);
  place.username = place.password = '';
  return place.href;
}

/**
 * Marks calls to the service itself with the calling run, so that chains of runs are counted, also
 * after a redirect from another host. The mark is not sent to other hosts.
 */
export function markOwnCalls(http: HttpPort, { addresses, header, mark }: CallMarking): HttpPort {
  const origins = new Set(addresses.map((address) => new URL(address).origin));
  /** The last place that is not this service: a run calls few hosts, repeatedly. */
  let elsewhere: string | undefined;
  const isOwnUrl = (url: URL): boolean =>
    origins.has(url.origin) && addresses.some((address) => placeOf(url).startsWith(address));
  const isOwnAddress = (url: string): boolean => {
    const place = SPELLED_OUT.exec(url)?.[0];
    if (place !== undefined && place === elsewhere) return false;
    if (!URL.canParse(url)) return false;
    const read = new URL(url);
    if (!origins.has(read.origin)) elsewhere = place;
    return isOwnUrl(read);
  };
  const unmarked = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== header));
  const headersTo = (to: URL, headers: Readonly<Record<string, string>>): Record<string, string> =>
    isOwnUrl(to) ? { ...unmarked(headers), [header]: mark } : unmarked(headers);
  return {
    createCookies: http.createCookies?.bind(http),
    send(request, signal) {
      // The request belongs to one call, so it is mutated: copies slow a run of quick steps by a
      // few percent.
      request.headersTo = headersTo;
      return http.send(
        isOwnAddress(request.url)
          ? { ...request, headers: { ...unmarked(request.headers), [header]: mark } }
          : request,
        signal,
      );
    },
  };
}

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
export function callingOwnWebhooks(
  http: HttpPort,
  { addresses }: Pick<CallMarking, 'addresses'>,
  start: (call: StepCall) => Promise<number | null>,
): HttpPort {
  const webhookUrls = addresses.map((address) => `${address}api${WEBHOOK_CALLS}`);
  return {
    async send(request, signal) {
      const url = URL.canParse(request.url) ? new URL(request.url) : null;
      const token = url && webhookTokenIn(url.href);
      if (url === null || token === null) return http.send(request, signal);
      const isElsewhere = !webhookUrls.some((webhookUrl) => url.href.startsWith(webhookUrl));
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
        throw new EngineError('WEBHOOK_NOT_FOUND', 'There is no webhook at the URL of the step.');
      return answer(status);
    },
  };
}

/** Decides when requests of a run may be sent. */
export interface SendGate {
  /** Must see all events of the run. */
  readonly current: CurrentStep;
  /**
   * Call before each request, which waits for a returned promise. If it rejects, nothing is sent.
   */
  beforeSend(): Promise<void> | undefined;
}

/** The engine emits events up to two iterations of the event loop late (docs/adr/0024). */
const TURNS_OF_EVENTS = 3;

class CurrentStep {
  place: StepPlace | null = null;

  see(event: RunEvent): void {
    if (event.kind === 'StepStarted')
      this.place = {
        step: event.stepId,
        index: event.index,
        loopIndex: event.loopIndex,
        attempt: event.attempt,
      };
  }
}

/** Delays requests until the gate allows them. */
export const gated = (http: HttpPort, gate: SendGate): HttpPort => ({
  createCookies: http.createCookies?.bind(http),
  async send(request, signal) {
    await gate.beforeSend();
    signal.throwIfAborted();
    return http.send(request, signal);
  },
});

export const gatedWebhooks =
  (start: Supervision['startWebhook'], gate: SendGate): Supervision['startWebhook'] =>
  async (call) => {
    await gate.beforeSend();
    return start(call);
  };

/** Opens when the first request is marked; later closed while another process may hold the run. */
export class MarkingGate implements SendGate {
  readonly current = new CurrentStep();
  private mark: Promise<void> | null = null;
  private isMarked = false;

  /**
   * @param markFirst stores that the run sends something
   * @param untilHeld returns undefined if this process certainly holds the run
   */
  constructor(
    private readonly batches: Pick<EventBatches, 'hold'>,
    private readonly markFirst: (place: StepPlace | null) => Promise<void>,
    private readonly untilHeld: () => Promise<void> | undefined,
  ) {}

  beforeSend(): Promise<void> | undefined {
    if (this.isMarked) return this.untilHeld();
    return (this.mark ??= this.first());
  }

  private async first(): Promise<void> {
    for (let turn = 0; turn < TURNS_OF_EVENTS; turn += 1) await nextTurn();
    await this.batches.hold(() => this.markFirst(this.current.place));
    this.isMarked = true;
  }
}
