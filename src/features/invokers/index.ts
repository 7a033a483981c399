import { createInvokerService } from './invoker.service';
import type { Feature } from '../../feature';
import { invokerPolicy } from './invoker.policy';
import { InvokerResolver } from './invoker.graphql';
import { documentedInvokers } from './invoker.presenter';
import { invokerRoutes } from './invoker.rest';

export const invokersFeature: Feature = {
  services: {
    invokers: ({ core: { store, clock, log }, config, services, contained }) =>
      createInvokerService({
        store,
        clock,
        log,
        audit: services.audit,
        jobs: services.jobs,
        folder: config.invoker.folder,
        uploadBytes: config.limits.uploadBytes,
        contained,
        ports: {
          connectorsUsing: (names, tx) => services.connectors.ofInvokers(names, tx),
          recordChange: (actor, change, tx) =>
            services.connectors.recordInvokerChange(actor, change, tx),
          workflowsUsing: (names, tx) => services.workflows.using({ invokers: names }, tx),
        },
      }),
  },
  search: ({ invokers }) => ({
    type: 'Invoker',
    need: invokerPolicy.read,
    find: (...of) => invokers.searchTitles(...of),
  }),
  async prepare({ services }) {
    await services.invokers.readFiles();
  },
  tags: { Invokers: 'Descriptions of the interfaces of remote systems.' },
  resolvers: [InvokerResolver],
  presenters: { invokers: documentedInvokers },
  routes: ({ services, presenters }) => invokerRoutes(services, presenters),
};
