/* The least that a message can cost: bare `ws`, one prepared frame to every socket, no GraphQL, no sessions and no rights. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { stepFinished } from './events';
import { answerAs } from './peer';

const server = createServer();
const sockets = new WebSocketServer({ server, path: '/graphql' });
sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const text = data.toString('latin1');
    if (text.includes('"type":"connection_init"')) socket.send('{"type":"connection_ack"}');
    else if (text.includes('"type":"ping"')) socket.send('{"type":"pong"}');
  });
});
server.listen(0, '127.0.0.1', () =>
  answerAs(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      tokens: ['-'],
      runId: '1',
      sequence: 0,
    },
    (_topic, nth) => {
      const runEvents = {
        __typename: 'StepFinished',
        sequence: nth,
        at: new Date().toISOString(),
        ...stepFinished(nth),
      };
      const message = { id: '-', type: 'next', payload: { data: { runEvents } } };
      const bytes = Buffer.from(JSON.stringify(message));
      for (const socket of sockets.clients) socket.send(bytes, { binary: false });
    },
    async () => server.closeAllConnections(),
  ),
);
