import { EngineError, headerValue } from '../../../engine';
import type { HttpPort, OutboundResponse } from '../../../engine';
import { WEBHOOK_CALLS, webhookTokenIn } from '../../../platform/secrets';
import type { CallsHome } from './calls-home';
import type { StepCall } from './run-engine';

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST']);
const ALLOWED = [...METHODS].join(', ');
const NOT_FOUND = 404;
const METHOD_NOT_ALLOWED = 405;

const answer = (status: number, headers: OutboundResponse['headers'] = {}): OutboundResponse => ({ status, headers, body: Buffer.alloc(0) });

/**
 * How WEBHOOK steps call. A webhook of this service is started by the service itself, which knows which run calls it, whatever name of the service the
 * address has: `start` answers the status that a call over HTTP would be answered with. All others are called.
 * @param start  the service's; null: it is none of its webhooks
 */
export function callingOwnWebhooks(http: HttpPort, { addresses }: Pick<CallsHome, 'addresses'>, start: (call: StepCall) => Promise<number | null>): HttpPort {
  const homes = addresses.map((address) => `${address}api${WEBHOOK_CALLS}`);
  return {
    async send(request, signal) {
      const url = URL.canParse(request.url) ? new URL(request.url) : null;
      const token = url && webhookTokenIn(url.href);
      if (url === null || token === null) return http.send(request, signal);
      const isElsewhere = !homes.some((home) => url.href.startsWith(home));
      if (!METHODS.has(request.method)) return isElsewhere ? http.send(request, signal) : answer(METHOD_NOT_ALLOWED, { allow: ALLOWED });
      const status = await start({ token, isElsewhere, search: url.search, body: request.body === undefined ? null : String(request.body), contentType: headerValue(request.headers, 'content-type') });
      if (status === null) return http.send(request, signal);
      if (status === NOT_FOUND) throw new EngineError('WEBHOOK_NOT_FOUND', 'There is no webhook at the address of the step.');
      return answer(status);
    },
  };
}
