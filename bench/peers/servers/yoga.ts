import { createServer } from 'node:http';
import { requirePeer } from '../installed';
import { contextOf, peerSchema } from './schema';
import { listen } from './listen';
import { serve } from './serve';

void serve((backend) => {
  const { createYoga } = requirePeer('graphql-yoga');
  const { useGraphQlJit } = requirePeer('@envelop/graphql-jit');
  const yoga = createYoga({
    schema: peerSchema(backend),
    plugins: [useGraphQlJit()],
    logging: false,
    context: ({ req }: any) => contextOf(backend, req.headers),
  });
  return listen(createServer(yoga));
});
