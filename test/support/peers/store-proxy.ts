import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import {
  formatReply,
  MessageReader,
  parseMessage,
} from '../../../packages/embedded-mongo/src/wire/messages';
import type { Doc } from '../../../packages/embedded-mongo/src/values/values';

/** What happens to a command: nothing, an error of the server, no answer, a late one, or a cut. */
export type StoreFault =
  | null
  | { readonly code: number; readonly labels?: readonly string[] }
  /** The answer comes later. */
  | { readonly delayMs: number }
  | 'silence'
  /** Before the store gets the command, or after it has executed it. */
  | 'cut before'
  | 'cut after';

/** Decides by the name of a command and the command itself. */
export type FaultOf = (name: string, command: Doc) => StoreFault;

/** Stands between a service and its store, and does to the wire what a replica set does. */
export interface StoreProxy {
  readonly uri: string;
  /** Faults from now on. */
  inject(faultOf: FaultOf): void;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** @param uri of an embedded store */
export async function storeProxy(uri: string): Promise<StoreProxy> {
  const path = decodeURIComponent(/^mongodb:\/\/([^/]+)\//.exec(uri)?.[1] ?? '');
  let faultOf: FaultOf = () => null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(path);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    /** Requests whose answer is not passed on. */
    const withheld = new Map<number, 'silence' | 'cut after'>();
    /** How much later answers are passed on, ms. */
    const delays = new Map<number, number>();
    const requests = new MessageReader();
    client.on('data', (bytes) => {
      for (const request of requests.push(bytes)) {
        const message = parseMessage(request);
        const fault = faultOf(Object.keys(message.command)[0] ?? '', message.command);
        if (fault === 'cut before') return end();
        if (fault === 'silence' || fault === 'cut after') withheld.set(message.requestId, fault);
        if (fault === null || typeof fault === 'string') upstream.write(request);
        else if ('delayMs' in fault) {
          delays.set(message.requestId, fault.delayMs);
          upstream.write(request);
        } else {
          const { code, labels = [] } = fault;
          const error = { ok: 0, code, errmsg: `injected ${code}`, errorLabels: [...labels] };
          for (const part of formatReply(message, error)) client.write(part);
        }
      }
    });
    const answers = new MessageReader();
    upstream.on('data', (bytes) => {
      for (const answer of answers.push(bytes)) {
        const requestId = answer.readInt32LE(8);
        const fault = withheld.get(requestId);
        if (fault === 'cut after') return end();
        const delayMs = delays.get(requestId);
        if (delayMs !== undefined) setTimeout(() => client.write(answer), delayMs);
        else if (fault === undefined) client.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of [...sockets]) socket.destroy();
  };
  return {
    uri: `mongodb://127.0.0.1:${port}/hypha?directConnection=true`,
    inject(next) {
      faultOf = next;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
