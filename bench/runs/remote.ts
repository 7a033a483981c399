/*
 * A remote system: answers a little at once, a long list, a little after a while, or never. Runs in a process of its own (`remoteProcess`).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const LIST = JSON.stringify(Array.from({ length: 100_000 }, (_, nth) => nth));
const SLOW_MS = 5_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const answer = (body: string): void => void response.writeHead(200, JSON_TYPE).end(body);
    if (request.url === '/list') answer(LIST);
    else if (request.url === '/never') return;
    else if (request.url === '/slow') setTimeout(() => answer('{"ok":true}'), SLOW_MS);
    else answer('{"id":7,"name":"a name","list":[1,2,3]}');
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('disconnect', () => process.exit(0));
