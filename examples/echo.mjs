// A service that says back what it got. `node examples/echo.mjs [port]`, default 9000.
import { createServer } from 'node:http';

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  console.log(`${request.method} ${request.url} ${body}`);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ method: request.method, path: request.url, body }));
});
server.listen(Number(process.argv[2] ?? 9000), '127.0.0.1', () => console.log(`echo service on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
