// A board that takes cards with POST /cards and shows them with GET /cards: `node examples/board.mjs [port]`, default 9002.
import { createServer } from 'node:http';

const cards = [];

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = (status, text) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
  if (request.url !== '/cards') return answer(404, '{"error":"There is nothing here."}');
  if (request.method !== 'POST')
    return answer(200, `[\n${cards.map((card) => JSON.stringify(card)).join(',\n')}\n]\n`);
  cards.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  return answer(201, JSON.stringify({ number: cards.length }));
});
server.listen(Number(process.argv[2] ?? 9002), '127.0.0.1', () =>
  console.log(`board on http://127.0.0.1:${server.address().port}`),
);
process.on('SIGTERM', () => process.exit(0));
