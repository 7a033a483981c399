// A service that says back what it got. `node examples/echo.mjs [port]`, default 9000. The invoker Echo describes it: `/items` has 12 entries
// in pages, and who brings the token `wrong` is refused.
import { createServer } from 'node:http';

const ITEMS = Array.from({ length: 12 }, (_, index) => ({ id: index + 1 }));

function answerTo({ method, url, headers }, body) {
  if (headers.authorization === 'Bearer wrong')
    return { status: 401, answer: { error: 'The token is wrong.' } };
  const { pathname, searchParams } = new URL(url, 'http://echo');
  if (pathname !== '/items') return { status: 200, answer: { method, path: url, body } };
  const offset = Number(searchParams.get('offset') ?? 0);
  return {
    status: 200,
    answer: {
      items: ITEMS.slice(offset, offset + Number(searchParams.get('limit') ?? 5)),
      total: ITEMS.length,
    },
  };
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  console.log(`${request.method} ${request.url} ${body}`);
  const { status, answer } = answerTo(request, body);
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
});
server.listen(Number(process.argv[2] ?? 9000), '127.0.0.1', () =>
  console.log(`echo service on http://127.0.0.1:${server.address().port}`),
);
process.on('SIGTERM', () => process.exit(0));
