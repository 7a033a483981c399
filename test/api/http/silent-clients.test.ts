import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { HttpServer } from '../../../src/platform/http/server';

const SILENCE_MS = 50;
const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

async function opened(head: string, handler: (response: ServerResponse) => void) {
  const http = new HttpServer((_request, response) => handler(response), {
    idleTimeoutMs: SILENCE_MS,
  });
  const { port } = await http.listen('127.0.0.1', 0);
  const client = connect(port, '127.0.0.1');
  client.write(head);
  return { http, client };
}

it('a connection stays open while its response takes longer than a client may be silent', async () => {
  let answer = (): void => undefined;
  const { http, client } = await opened(GET, (response) => {
    answer = () => response.end('done');
  });
  for (let time = 0; time < 3; time += 1) await once(http.server, 'timeout');
  answer();
  let text = '';
  client.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(client, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 200[\s\S]*done/);
  await http.stop();
});

it.each([
  [
    'takes nothing of its answer',
    GET,
    (response: ServerResponse) => void response.end(Buffer.alloc(64 * 1024 * 1024)),
  ],
  [
    'never ends its body',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf',
    () => undefined,
  ],
])('the service disconnects a client that %s', async (_what, head, handler) => {
  let isCut: Promise<unknown> | undefined;
  const { http, client } = await opened(head, (response) => {
    isCut = once(response, 'close');
    handler(response);
  });
  client.on('error', () => undefined).pause();
  await once(http.server, 'request');
  await isCut;
  client.destroy();
  await http.stop();
});
