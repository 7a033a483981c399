import { createServer } from 'node:http';
import { requirePeer } from '../installed';
import { restAnswers } from './rest';
import { listen } from './listen';
import { serve } from './serve';

void serve((backend) => {
  const app = requirePeer('express')();
  const answers = restAnswers(backend);
  app.use(async (request: any, _response: unknown, next: () => void) => {
    request.session = await backend.authenticate(request.headers.authorization);
    next();
  });
  app.get('/api/user/all', async (request: any, response: any) =>
    response.json(await answers.all(request.session)),
  );
  app.get('/api/user/:id', async (request: any, response: any) =>
    response.json(await answers.one(request.session, Number(request.params.id))),
  );
  return listen(createServer(app));
});
