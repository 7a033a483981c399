import { createOutbound } from '../../platform/outbound';
import type { Outbound } from '../../platform/outbound';

/** Maximum time for a response, ms. */
export const ANSWER_MS = 10_000;
/** Of a script of a client. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** A response as the checks of a client read it. */
export interface Answer {
  /** After redirects. */
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  /** Of a JSON object; empty for all else. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Empty if the header is missing. */
  header(name: string): string;
}

/** Makes the calls of a browser that shows a client. */
export class ClientCalls {
  private readonly outbound: Outbound = createOutbound({
    timeoutMs: ANSWER_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    maxRedirects: 5,
    deny: [],
    allow: [],
  });

  /** @throws OutboundError there is no response */
  async send(method: string, address: string, headers: Record<string, string>): Promise<Answer> {
    let url = new URL(address);
    const allowRedirect = (to: URL): boolean => {
      url = to;
      return true;
    };
    const request = { method, url: address, headers, allowRedirect };
    const answer = await this.outbound.send(request, AbortSignal.timeout(2 * ANSWER_MS));
    const text = answer.body.toString('utf8');
    return {
      url,
      status: answer.status,
      text,
      fields: fieldsOf(text),
      header: (name) => [answer.headers[name] ?? []].flat().join(','),
    };
  }

  close(): Promise<void> {
    return this.outbound.close();
  }
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
