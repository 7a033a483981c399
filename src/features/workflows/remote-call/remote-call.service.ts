import { Refused } from '../../../platform/errors/errors';
import type { Outbound, OutboundResponse } from '../../../platform/outbound';
import { OutboundError } from '../../../platform/outbound';

declare module '../../../platform/context' {
  interface Services {
    remoteCalls: RemoteCallService;
  }
}

/** A single call, to try out a step. */
interface RemoteCall {
  readonly url: string;
  readonly method: string;
  readonly header: Readonly<Record<string, string>>;
  /** JSON; null: no body. A text is sent as it is. */
  readonly body?: unknown;
  /** True: certificates are not checked (the name is that of the released line). */
  readonly sslOn: boolean;
}

/** Short, because a user waits for the response. */
const TIMEOUT_MS = 30_000;

/** Headers that the HTTP connection sets itself; those of the caller are dropped. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Calls a remote system once, with the address policy and limits of runs. */
export class RemoteCallService {
  constructor(private readonly outbound: Outbound) {}

  /** @throws Refused COMMUNICATION_FAILED no response, or a status other than 200 to 299 */
  async send({ url, method, header, body, sslOn }: RemoteCall): Promise<OutboundResponse> {
    const headers = Object.fromEntries(
      Object.entries(header).filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase())),
    );
    const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
    const sent = bodyText(method, body);
    const request = {
      url,
      method,
      headers: {
        ...(sent !== undefined && !hasType && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: sent,
      timeoutMs: TIMEOUT_MS,
      verifyTls: !sslOn,
    };
    const response = await this.outbound
      .send(request, new AbortController().signal)
      .catch((error: unknown) => {
        if (error instanceof OutboundError) throw failed(error.message);
        throw error;
      });
    if (response.status < 200 || response.status >= 300)
      throw failed(`The remote system answered with the status ${response.status}.`);
    return response;
  }
}

function bodyText(method: string, body: unknown): string | undefined {
  if (body == null || method === 'GET' || method === 'HEAD') return undefined;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

const failed = (reason: string): Refused => new Refused('COMMUNICATION_FAILED', reason);
