import { InvokerCatalog } from './invoker-catalog';
import { InvokerFolder } from './invoker-folder.service';
import { InvokerImport } from './invoker-import.service';
import { InvokerWriter } from './invoker-writer';
import { invokerPolicy } from './invoker.policy';
import { InvokerService } from './invoker.service';
import type { Feature } from '../../feature';
import { invokerImportRoutes } from './invoker-import.rest';
import { InvokerResolver } from './invoker.graphql';
import { documentedInvokers, releasedInvokers } from './invoker.presenter';
import { invokerRoutes } from './invoker.rest';

declare module '../../platform/context' {
  interface Services {
    invokerWriter: InvokerWriter;
  }
}

export const invokersFeature: Feature = {
  services: {
    invokerCatalog: ({ core: { store }, contained }) => new InvokerCatalog(store, contained),
    invokerFolder: ({ core, config, contained, services: { invokerCatalog, invokerWriter } }) =>
      new InvokerFolder(
        { core, catalog: invokerCatalog, writer: invokerWriter, contained },
        config.invoker.folder,
      ),
    invokerImport: ({ config, contained, services: { invokerCatalog, invokerWriter, jobs } }) =>
      new InvokerImport(
        { catalog: invokerCatalog, writer: invokerWriter, jobs, contained },
        config.limits.uploadBytes,
      ),
    invokerWriter: ({ core, services: { audit, invokerCatalog, connectorFields } }) =>
      new InvokerWriter({ core, audit, catalog: invokerCatalog, connectorFields }),
    invokers: ({ core: { store }, contained, services }) =>
      new InvokerService({
        store,
        catalog: services.invokerCatalog,
        writer: services.invokerWriter,
        contained,
        connectors: services.connectorCatalog,
        workflowReferences: services.workflowReferences,
      }),
  },
  search: ({ invokerCatalog }) => ({
    type: 'Invoker',
    need: invokerPolicy.read,
    find: (...of) => invokerCatalog.searchTitles(...of),
  }),
  prepare: ({ services }) => services.invokerFolder.readFiles(),
  tags: { Invokers: 'Descriptions of the interfaces of remote systems.' },
  resolvers: [InvokerResolver],
  presenters: { invokers: documentedInvokers },
  releasedPresenters: { invokers: releasedInvokers },
  routes: ({ services, presenters }) => [
    ...invokerRoutes(services, presenters),
    ...invokerImportRoutes(services, presenters),
  ],
};
