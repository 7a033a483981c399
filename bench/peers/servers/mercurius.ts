import { requirePeer } from '../installed';
import { contextOf, peerSchema } from './schema';
import { serve } from './serve';

void serve(async (backend) => {
  const app = requirePeer('fastify')();
  app.register(requirePeer('mercurius'), {
    schema: peerSchema(backend),
    jit: 1,
    context: (request: any) => contextOf(backend, request.headers),
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
});
