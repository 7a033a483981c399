import { requirePeer } from '../installed';
import { contextOf, peerSchema } from './schema';
import { serve } from './serve';

void serve(async (backend) => {
  const { ApolloServer } = requirePeer('@apollo/server');
  const { startStandaloneServer } = requirePeer('@apollo/server/standalone');
  const { url } = await startStandaloneServer(new ApolloServer({ schema: peerSchema(backend) }), {
    listen: { port: 0, host: '127.0.0.1' },
    context: ({ req }: any) => contextOf(backend, req.headers),
  });
  return new URL(url).origin;
});
