/* Prepared bytes by `node:http`: the least that a request can cost. The parent process sends the answers, by path and body. */
import { createServer } from 'node:http';
import { listen } from './listen';

const answers = new Map<string, Buffer>();
process.on('message', ([key, text]: [string, string]) => {
  answers.set(key, Buffer.from(text));
  process.send?.('kept');
});
process.once('disconnect', () => process.exit(0));

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('latin1');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const bytes = answers.get(`${request.url} ${body}`);
    const headers = { 'content-type': 'application/json', 'content-length': bytes?.length ?? 0 };
    response.writeHead(bytes ? 200 : 404, headers).end(bytes);
  });
});
void listen(server).then((url) => process.send?.(url));
