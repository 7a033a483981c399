import type { Feature } from '../../platform/feature';
import { InvokerResolver } from './invoker.graphql';
import { documentedInvokers } from './invoker.presenter';
import { invokerRoutes } from './invoker.rest';

export const invokersFeature: Feature = {
  tags: { Invokers: 'Descriptions of the interfaces of remote systems.' },
  resolvers: [InvokerResolver],
  presenters: { invokers: documentedInvokers },
  routes: ({ services, presenters }) => invokerRoutes(services, presenters),
};
