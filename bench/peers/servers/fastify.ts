import { requirePeer } from '../installed';
import { restAnswers } from './rest';
import { serve } from './serve';

void serve(async (backend) => {
  const app = requirePeer('fastify')();
  const answers = restAnswers(backend);
  app.addHook('onRequest', async (request: any) => {
    request.session = await backend.authenticate(request.headers.authorization);
  });
  app.get('/api/user/all', (request: any) => answers.all(request.session));
  app.get('/api/user/:id', (request: any) =>
    answers.one(request.session, Number(request.params.id)),
  );
  return app.listen({ port: 0, host: '127.0.0.1' });
});
