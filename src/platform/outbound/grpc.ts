import type { Client, GrpcObject, ServiceError, ServiceClientConstructor } from '@grpc/grpc-js';
import { hostInUrl } from '../text/host';

interface GrpcTarget {
  /** Path of the `.proto` file. */
  readonly file: string;
  /** Full service name with package: `hypha.polyglot.v1.ScriptEngine`. */
  readonly service: string;
  /** From the operator's configuration; hosts named by workflows use `send` with address policy. */
  readonly host: string;
  readonly port: number;
  /** Maximum size of a message in either direction. */
  readonly maxBytes: number;
}

/** A failed call; `status` is the gRPC status name, such as UNAVAILABLE. */
export class GrpcFailure extends Error {
  constructor(
    readonly status: string,
    details: string,
  ) {
    super(`${status}: ${details}`);
    this.name = 'GrpcFailure';
  }
}

/** A gRPC service; connects on first use and reconnects. */
export interface GrpcService {
  /** Waits for a connection; returns false on timeout. */
  reach(withinMs: number): Promise<boolean>;
  /**
   * Makes a unary call.
   * @throws GrpcFailure
   * @throws the reason of the signal
   */
  call<Answer>(
    method: string,
    request: object,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Answer>;
  close(): void;
}

/** Short delays, to find a restarted service soon. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

type Unary = (
  request: object,
  options: { deadline: number },
  done: (error: ServiceError | null, answer?: unknown) => void,
) => { cancel(): void };

/** Neither connects nor loads the client library until the first call: most processes need none. */
export function openGrpc(target: GrpcTarget): GrpcService {
  let client: Client | null = null;
  const opened = (): Client => (client ??= connect(target));
  return {
    reach: (withinMs) =>
      new Promise((resolve) =>
        opened().waitForReady(Date.now() + withinMs, (error) => resolve(error === undefined)),
      ),
    call: <Answer>(
      method: string,
      request: object,
      { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
    ) =>
      new Promise<Answer>((resolve, reject) => {
        signal.throwIfAborted();
        const service = opened() as unknown as Record<string, Unary>;
        const stop = (): void => call.cancel();
        const call = service[method](
          request,
          { deadline: Date.now() + timeoutMs },
          (error, answer) => {
            signal.removeEventListener('abort', stop);
            if (signal.aborted) reject(signal.reason as Error);
            else if (error === null) resolve(answer as Answer);
            else reject(failureOf(error));
          },
        );
        signal.addEventListener('abort', stop, { once: true });
      }),
    close: () => client?.close(),
  };
}

function connect({ file, service, host, port, maxBytes }: GrpcTarget): Client {
  const { credentials, loadPackageDefinition } =
    require('@grpc/grpc-js') as typeof import('@grpc/grpc-js');
  const { loadSync } = require('@grpc/proto-loader') as typeof import('@grpc/proto-loader');
  const description = loadPackageDefinition(
    loadSync(file, { enums: String, longs: String, oneofs: true, defaults: true }),
  );
  const Service = service
    .split('.')
    .reduce<unknown>(
      (part, name) => (part as GrpcObject)[name],
      description,
    ) as ServiceClientConstructor;
  const address = `${hostInUrl(host)}:${port}`;
  return new Service(address, credentials.createInsecure(), {
    ...RECONNECT,
    'grpc.enable_retries': 0,
    'grpc.enable_http_proxy': 0,
    'grpc.max_receive_message_length': maxBytes,
    'grpc.max_send_message_length': maxBytes,
  });
}

function failureOf({ code, details }: ServiceError): GrpcFailure {
  const { status } = require('@grpc/grpc-js') as typeof import('@grpc/grpc-js');
  return new GrpcFailure(status[code] ?? 'UNKNOWN', details);
}
