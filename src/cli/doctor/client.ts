import { webSocketRefusal } from '../../platform/outbound';
import { messageOf, printable } from '../output';
import { findingsAbout } from './checks';
import type { Finding } from './checks';
import { ANSWER_MS, ClientCalls } from './client-calls';
import type { Answer } from './client-calls';
import { readClient } from './client-page';
import type { ClientAddresses } from './client-page';

const finding = findingsAbout('client');

/** What `hypha doctor --client` knows of the service. */
interface ClientCheck {
  /** Of the page. */
  readonly address: string;
  readonly product: string;
}

/** The headers that each line sends across origins. */
const SENT_HEADERS = {
  '4.x': ['authorization', 'content-type', 'crossdomain', 'timeout'],
  '5.x': ['authorization', 'content-type', 'x-master-password'],
} as const;
/** A call that every client makes, and that needs a session. */
const CALL = '/component/all';

/** Checks whether a released client works with this service, as its requests will be. */
export async function clientFindings(check: ClientCheck): Promise<Finding[]> {
  const calls = new ClientCalls();
  try {
    const client = await readClient(calls, check.address);
    const { line, api, socket, readFrom } = client;
    const findings = [
      finding.ok(`${line} client; it calls ${api} and ${socket} (read from ${readFrom})`),
      ...mixedContent(client),
      ...(await new ClientChecks(calls, client, check.product).findings()),
      nameOfHealth(check.product),
    ];
    return findings.map(({ text, ...others }) => ({ ...others, text: printable(text) }));
  } catch (error) {
    return [finding.error(printable(messageOf(error)))];
  } finally {
    await calls.close();
  }
}

function mixedContent({ origin, api, socket }: ClientAddresses): Finding[] {
  if (!origin.startsWith('https:')) return [];
  return [api, socket]
    .filter((called) => called.startsWith('http:'))
    .map((called) =>
      finding.error(
        `The page is loaded over https, so the browser blocks ${called}. Serve that address over https too.`,
      ),
    );
}

/** Makes the calls that a client makes first, from its origin. */
class ClientChecks {
  constructor(
    private readonly calls: ClientCalls,
    private readonly client: ClientAddresses,
    private readonly product: string,
  ) {}

  /** Ends with the first problem that would cause all others. */
  async findings(): Promise<Finding[]> {
    const findings = [await this.checkDialect()];
    const isUsable = (): boolean => findings.every(({ level }) => level === 'ok');
    if (isUsable()) findings.push(await this.checkOrigin());
    if (!isUsable()) return findings;
    return [...findings, await this.checkLogin(), await this.checkSocket()];
  }

  private send(
    method: string,
    address: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.calls.send(method, address, { origin: this.client.origin, ...headers });
  }

  /** Checks that this service answers, in the dialect of released clients. */
  private async checkDialect(): Promise<Finding> {
    const { api } = this.client;
    let answer: Answer;
    try {
      answer = await this.send('GET', api + CALL);
    } catch (error) {
      return finding.error(`${api} cannot be reached: ${messageOf(error)} ${this.remedy()}`);
    }
    const { status, fields } = answer;
    if (status === 503)
      return finding.error(`${api} answered 503: the service is starting or stopping. Try again.`);
    if (status === 401 && fields.error === 'Unauthorized' && typeof fields.detail === 'string')
      return finding.ok(`${api} speaks the released dialect.`);
    if (fields.success === 'false')
      return finding.error(`${api} speaks the documented dialect. ${this.remedy()}`);
    return finding.error(
      `Hypha does not answer at ${api}${CALL} (status ${status}). ${this.remedy()}`,
    );
  }

  /** Says how the client finds its dialect. */
  private remedy(): string {
    const { line, api } = this.client;
    return line === '5.x'
      ? `Set server.prefix in the config.json of the client to /released/api, and socket.prefix to /released/ws, or let ${this.product}.frontend.directory serve the client without a config.json.`
      : `Set ${this.product}.server.additional-port to ${new URL(api).port}, or let a proxy map that port to /released/.`;
  }

  /** Checks what a browser asks before and after a call of another origin. */
  private async checkOrigin(): Promise<Finding> {
    const { api, origin, line } = this.client;
    if (new URL(api).origin === origin) return finding.ok('Page and API have one origin.');
    const preflight = await this.send('OPTIONS', api + CALL, {
      'access-control-request-method': 'PUT',
      'access-control-request-headers': SENT_HEADERS[line].join(','),
    });
    if (!this.isAllowedBy(preflight)) return this.originRefused();
    const allowed = listed(preflight, 'access-control-allow-headers');
    const missing = SENT_HEADERS[line].filter((header) => !allowed.includes(header));
    const exposed = listed(await this.send('GET', api + CALL), 'access-control-expose-headers');
    const problems = [
      ...(missing.length === 0 ? [] : [`it does not allow the headers ${missing.join(', ')}`]),
      ...(exposed.includes('authorization') ? [] : ['it does not expose the header Authorization']),
    ];
    return problems.length === 0
      ? finding.ok(`Pages of ${origin} may call the API.`)
      : finding.error(
          `The API is not usable from ${origin}: ${problems.join('; ')}. A proxy must not change the CORS headers of the service.`,
        );
  }

  /** Pages send some requests with credentials, for which `*` is not enough. */
  private isAllowedBy(answer: Answer): boolean {
    return (
      answer.header('access-control-allow-origin') === this.client.origin &&
      answer.header('access-control-allow-credentials') === 'true'
    );
  }

  private originRefused(): Finding {
    return finding.error(
      `Pages of ${this.client.origin} may not call the API. Add it to ${this.product}.cors.origins.`,
    );
  }

  /** Logins are POST, so the service refuses this, and no failed login is counted. */
  private async checkLogin(): Promise<Finding> {
    const address = `${this.client.base}/login`;
    const { status, fields } = await this.send('GET', address, { accept: 'application/json' });
    return status === 405 && typeof fields.detail === 'string'
      ? finding.ok(`${address} accepts logins.`)
      : finding.error(
          `${address} answered ${status}, and the client signs in there. Let the proxy pass it on like the API.`,
        );
  }

  private async checkSocket(): Promise<Finding> {
    const { socket, origin } = this.client;
    if (!/^https?:/.test(socket))
      return finding.error(
        `The client cannot open ${socket}: socket.protocol in its config.json must be http, https or empty.`,
      );
    const info = await this.send('GET', `${socket}/info`).catch(() => null);
    if (info?.fields.websocket === undefined)
      return finding.error(
        `${socket}/info does not answer${info === null ? '' : ` (status ${info.status})`}, so the client shows nothing live. Let the proxy pass it on, or correct the address of the socket.`,
      );
    if (new URL(socket).origin !== origin && !this.isAllowedBy(info)) return this.originRefused();
    const address = `${socket.replace(/^http/, 'ws')}/000/doctor00/websocket`;
    const refusal = await webSocketRefusal(address, { origin, timeoutMs: ANSWER_MS });
    return refusal === null
      ? finding.ok(`${socket} opens sockets.`)
      : finding.error(
          `${socket} opens no WebSocket: ${refusal}. Let the proxy pass on the headers Upgrade and Connection.`,
        );
  }
}

const listed = (answer: Answer, name: string): string[] =>
  answer
    .header(name)
    .split(',')
    .map((entry) => entry.trim().toLowerCase());

function nameOfHealth(product: string): Finding {
  const about = `The service calls itself ${product} (PRODUCT_PREFIX)`;
  return product === 'hypha'
    ? finding.warning(
        `${about}. The update page of released clients shows a version only under the name of their product.`,
      )
    : finding.ok(`${about}; the client must know it by this name.`);
}
