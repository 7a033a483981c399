import { Refused } from '../../../platform/errors/errors';
import type { Outbound, OutboundResponse } from '../../../platform/outbound';
import { OutboundError } from '../../../platform/outbound';

declare module '../../../platform/context' {
  interface Services {
    remoteCalls: RemoteCallService;
  }
}

export type RemoteCallService = ReturnType<typeof createRemoteCallService>;

/** A single call, to try out a step. */
export interface RemoteCall {
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
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
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
export function createRemoteCallService({ outbound }: { outbound: Outbound }) {
  return {
    /** @throws Refused COMMUNICATION_FAILED no response, or a status of 400 and above */
    async send({ url, method, header, body, sslOn }: RemoteCall): Promise<OutboundResponse> {
      const headers = Object.fromEntries(
        Object.entries(header).filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase())),
      );
      const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
      const sent =
        body == null || method === 'GET' || method === 'HEAD'
          ? undefined
          : typeof body === 'string'
            ? body
            : JSON.stringify(body);
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
      const answer = await outbound
        .send(request, new AbortController().signal)
        .catch((error: unknown) => {
          if (error instanceof OutboundError) throw failed(error.message);
          throw error;
        });
      if (answer.status < 200 || answer.status >= 300)
        throw failed(`The remote system answered with the status ${answer.status}.`);
      return answer;
    },
  };
}

const failed = (reason: string): Refused => new Refused('COMMUNICATION_FAILED', reason);
