import type { Client, GrpcObject, ServiceError, ServiceClientConstructor } from '@grpc/grpc-js';

export interface GrpcTarget {
  /** The description of the service, a `.proto` file. */
  readonly file: string;
  /** With its package: `hypha.polyglot.v1.ScriptEngine`. */
  readonly service: string;
  /** Of the operator's configuration: what a workflow names is called by `send` alone, under the address policy. */
  readonly host: string;
  readonly port: number;
  /** Of one message, either way. */
  readonly maxBytes: number;
}

/** A call without an answer: the name of its status, such as UNAVAILABLE. */
export class GrpcFailure extends Error {
  constructor(
    readonly status: string,
    details: string,
  ) {
    super(`${status}: ${details}`);
    this.name = 'GrpcFailure';
  }
}

/** A service that is reached by gRPC; the connection is made when it is needed, and again when it is lost. */
export interface GrpcService {
  /** Waits for a connection; false when there is none by then. */
  reach(withinMs: number): Promise<boolean>;
  /**
   * Calls a method that answers once.
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

/** A service that was started again is found again soon. */
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

/** Opens no connection, and loads the client with the first call: few processes ever make one. */
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
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
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
