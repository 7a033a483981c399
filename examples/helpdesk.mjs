// A help desk with seven tickets, three to a page: `node examples/helpdesk.mjs [port]`, default 9001. Who does not bring its token is refused.
import { createServer } from 'node:http';

const TICKETS = [
  { id: 101, state: 'open', priority: 1, title: '  Printer on fire ', tags: ['printer', 'urgent'] },
  { id: 102, state: 'closed', priority: 3, title: 'New keyboard', tags: [] },
  { id: 103, state: 'open', priority: 2, title: 'VPN "office" drops', tags: ['network'] },
  { id: 104, state: 'open', priority: 3, title: 'Coffee is cold', tags: null },
  { id: 105, state: 'closed', priority: 1, title: 'Server room at 40 °C', tags: ['urgent'] },
  { id: 106, state: 'waiting', priority: 2, title: 'Second screen', tags: ['hardware'] },
  { id: 107, state: 'open', priority: 1, title: 'Mail bounces', tags: ['mail', 'draft'] },
];

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://helpdesk');
  const answer = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  console.log(`${request.method} ${request.url}`);
  if (request.headers.authorization !== 'Bearer helpdesk-token')
    return answer(401, { error: 'The token is wrong.' });
  if (pathname === '/me') return answer(200, { name: 'Hypha' });
  if (pathname !== '/tickets') return answer(404, { error: 'There is nothing here.' });
  const offset = Number(searchParams.get('offset') ?? 0);
  return answer(200, {
    total: TICKETS.length,
    tickets: TICKETS.slice(offset, offset + Number(searchParams.get('limit') ?? 3)),
  });
});
server.listen(Number(process.argv[2] ?? 9001), '127.0.0.1', () =>
  console.log(`help desk on http://127.0.0.1:${server.address().port}`),
);
process.on('SIGTERM', () => process.exit(0));
