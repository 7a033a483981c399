import { WebSocket } from 'ws';

/** Opens a WebSocket and closes it at once. Returns why it could not be opened, or null. */
export function webSocketRefusal(
  address: string,
  { origin, timeoutMs }: { readonly origin: string; readonly timeoutMs: number },
): Promise<string | null> {
  return new Promise((resolve) => {
    const connection = new WebSocket(address, { origin, handshakeTimeout: timeoutMs });
    connection.once('open', () => {
      resolve(null);
      connection.terminate();
    });
    connection.on('error', ({ message, code }: NodeJS.ErrnoException) =>
      resolve(message || (code ?? 'no connection')),
    );
  });
}
