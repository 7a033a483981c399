import { Client, Versions } from '@stomp/stompjs';
import type { IFrame } from '@stomp/stompjs';
import SockJS from 'sockjs-client';
import WebSocket from 'ws';
import type { ReachedService } from '../service/harness';

/** Received texts in order. */
class ReceivedMessages<T> {
  readonly all: T[] = [];
  private readonly waiting = new Set<() => void>();

  add(one: T): void {
    this.all.push(one);
    this.wake();
  }

  wake(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves when the condition holds; rejects if `over` says that no more texts can arrive. */
  async until(holds: (all: readonly T[]) => boolean, over: () => unknown): Promise<T[]> {
    while (!holds(this.all)) {
      if (over())
        throw new Error(
          `It ended before: ${JSON.stringify(over())} after ${JSON.stringify(this.all).slice(0, 2_000)}`,
        );
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.waiting.delete(done);
          resolve();
        };
        this.waiting.add(done);
      });
    }
    return this.all;
  }
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A client like the released frontends: STOMP over `sockjs-client`. */
interface Frontend {
  readonly client: Client;
  readonly messages: Record<string, any[]>;
  readonly errors: IFrame[];
  subscribe(destination: string, headers?: Record<string, string>): void;
  until(destination: string, holds: (all: readonly any[]) => boolean): Promise<any[]>;
  /** Resolves with the close code and reason. */
  closed(): Promise<Closed>;
  receipt(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface FrontendOptions {
  readonly token?: string | null;
  readonly prefix?: string;
  readonly versions?: string[];
  readonly query?: string;
  /** Without SockJS. */
  readonly bare?: boolean;
  /** Transport of SockJS. Default: `websocket`. */
  readonly transport?: 'websocket' | 'xhr-streaming' | 'xhr-polling';
  readonly heartbeatMs?: number;
}

const addressOf = (
  service: Pick<ReachedService, 'url' | 'adminToken'>,
  { token = service.adminToken, prefix = '/websocket', query = '' }: FrontendOptions,
): string =>
  `${service.url}${prefix}?${token === null ? '' : `token=${encodeURIComponent(token)}`}${query}`;

/** Signs in with the parameter `token`; resolves when the client is connected or its socket is closed. */
export async function frontend(
  service: Pick<ReachedService, 'url' | 'adminToken'>,
  options: FrontendOptions = {},
): Promise<Frontend> {
  const received: Record<string, ReceivedMessages<any>> = {};
  const errors: IFrame[] = [];
  let closed: Closed | null = null;
  const onEnd: (() => void)[] = [];
  const url = addressOf(service, options);
  const bare = url.replace(/^http/, 'ws').replace('?', '/websocket?');
  const client = new Client({
    webSocketFactory: () =>
      options.bare
        ? new WebSocket(bare, ['v12.stomp', 'v11.stomp'])
        : new SockJS(url, null, { transports: options.transport ?? 'websocket' }),
    stompVersions: new Versions(options.versions ?? ['1.2', '1.1', '1.0']),
    reconnectDelay: 0,
    heartbeatIncoming: options.heartbeatMs ?? 10_000,
    heartbeatOutgoing: 10_000,
    connectHeaders: { 'client-id': 'frontend' },
  });
  client.onStompError = (frame) => errors.push(frame);
  await new Promise<void>((resolve) => {
    client.onConnect = () => resolve();
    client.onWebSocketClose = ({ code, reason }: Closed) => {
      closed = { code, reason };
      for (const one of Object.values(received)) one.wake();
      for (const end of onEnd) end();
      resolve();
    };
    client.activate();
  });
  const of = (destination: string): ReceivedMessages<any> =>
    (received[destination] ??= new ReceivedMessages<any>());
  return {
    client,
    errors,
    get messages() {
      return Object.fromEntries(Object.entries(received).map(([name, { all }]) => [name, all]));
    },
    subscribe: (destination, headers) =>
      void client.subscribe(
        destination,
        ({ body }) => of(destination).add(JSON.parse(body)),
        headers,
      ),
    until: (destination, holds) => of(destination).until(holds, () => closed),
    async closed() {
      if (!closed) await new Promise<void>((resolve) => onEnd.push(resolve));
      return closed as unknown as Closed;
    },
    receipt: (id) => new Promise((resolve) => client.watchForReceipt(id, () => resolve())),
    close: () => client.deactivate(),
  };
}

/** A raw socket. */
class RawStomp {
  readonly received = new ReceivedMessages<string>();
  ended: Closed | null = null;

  constructor(readonly connection: WebSocket) {
    connection.on('message', (data: Buffer) => this.received.add(data.toString()));
    connection.on('close', (code, reason) => {
      this.ended = { code, reason: reason.toString() };
      this.received.wake();
    });
    connection.on('error', () => undefined);
  }

  /** The next text that contains `text`. */
  async until(part: string): Promise<string> {
    const all = await this.received.until(
      (texts) => texts.some((text) => text.includes(part)),
      () => this.ended,
    );
    return all.find((text) => text.includes(part)) ?? '';
  }

  async closed(): Promise<Closed> {
    await this.received.until(
      () => this.ended !== null,
      () => null,
    );
    return this.ended as Closed;
  }

  say(text: string | Buffer): void {
    this.connection.send(text);
  }
}

let sessions = 0;

/** Opens a socket with or without SockJS; rejects if the upgrade fails. */
export async function rawStomp(
  service: Pick<ReachedService, 'url' | 'adminToken'>,
  {
    bare = false,
    headers = {},
    ...options
  }: FrontendOptions & { readonly headers?: Record<string, string> } = {},
): Promise<RawStomp> {
  sessions += 1;
  const path = bare ? '/websocket' : `/000/session${sessions}/websocket`;
  const connection = new WebSocket(
    addressOf(service, options).replace(/^http/, 'ws').replace('?', `${path}?`),
    { headers },
  );
  const raw = new RawStomp(connection);
  await new Promise<void>((resolve, reject) => {
    connection.once('open', () => resolve());
    connection.once('error', reject);
  });
  return raw;
}

/** Opens a socket and sends CONNECT. */
export async function connectedStomp(
  service: Pick<ReachedService, 'url' | 'adminToken'>,
  options: FrontendOptions = {},
): Promise<RawStomp> {
  const raw = await rawStomp(service, { bare: true, ...options });
  raw.say('CONNECT\naccept-version:1.2\n\n\0');
  await raw.until('CONNECTED\n');
  return raw;
}

/** A response of a SockJS transport that is read while it arrives. */
class XhrResponse {
  private text = '';
  private readonly decoder = new TextDecoder();
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(readonly response: Response) {
    if (!response.body) throw new Error('The response has no body.');
    this.reader = response.body.getReader();
  }

  /** The next line; null if the response has ended. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.text.indexOf('\n');
      if (end >= 0) {
        const line = this.text.slice(0, end);
        this.text = this.text.slice(end + 1);
        return line;
      }
      const { done, value } = await this.reader.read();
      if (done) return null;
      this.text += this.decoder.decode(value, { stream: true });
    }
  }

  /** The next line without heart-beats. */
  async frame(): Promise<string | null> {
    for (;;) {
      const line = await this.line();
      if (line !== 'h') return line;
    }
  }

  abort(): Promise<void> {
    return this.reader.cancel();
  }
}

/** The requests of one SockJS session over XHR. */
export function xhrSession(
  service: Pick<ReachedService, 'url' | 'adminToken'>,
  {
    headers = {},
    session = `xhr${(sessions += 1)}`,
    ...options
  }: FrontendOptions & {
    readonly headers?: Record<string, string>;
    readonly session?: string;
  } = {},
) {
  const post = (transport: string, body?: string): Promise<Response> =>
    fetch(addressOf(service, options).replace('?', `/123/${session}/${transport}?`), {
      method: 'POST',
      headers,
      body,
    });
  return {
    post,
    open: async (transport: string) => new XhrResponse(await post(transport)),
    /** Sends texts; returns the status. */
    send: async (...texts: string[]) => (await post('xhr_send', JSON.stringify(texts))).status,
  };
}
