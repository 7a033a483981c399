import type { Feature } from '../../feature';
import { OnlineItems } from './online-items.service';
import {
  OnlineServicesResolver,
  OnlineSourceResolver,
  SynchronisationResolver,
} from './online-service.graphql';
import { onlineServiceRoutes } from './online-service.rest';
import { SynchronisationHistory } from './synchronisation-history';
import { SynchronisationService } from './synchronisation.service';
import { SynchronisedInvokers, SynchronisedTemplates } from './synchronised-records';

declare module '../../platform/context' {
  interface Services {
    onlineItems: OnlineItems;
  }
}

export const onlineServicesFeature: Feature = {
  services: {
    onlineItems: ({ core: { store, clock }, contained, services }) =>
      new OnlineItems({
        store,
        clock,
        audit: services.audit,
        records: {
          INVOKER: new SynchronisedInvokers({
            catalog: services.invokerCatalog,
            writer: services.invokerWriter,
            contained,
          }),
          TEMPLATE: new SynchronisedTemplates({
            store,
            records: services.templateRecords,
            contained,
          }),
        },
      }),
    synchronisationHistory: ({ core }) => new SynchronisationHistory(core),
    synchronisations: ({
      core,
      config,
      outbound,
      scheduleTickMs,
      services: { onlineItems, synchronisationHistory, jobs },
    }) =>
      new SynchronisationService({
        core,
        outbound,
        items: onlineItems,
        history: synchronisationHistory,
        jobs,
        config: config.onlineServices,
        timeZone: config.timeZone,
        tickMs: scheduleTickMs,
      }),
  },
  prepare: ({ services }) => services.synchronisationHistory.endInterrupted(),
  start: ({ services }) => services.synchronisations.start(),
  stop: ({ services }) => services.synchronisations.stop(),
  tags: { 'Online services': 'Invokers and templates of a portal.' },
  resolvers: [OnlineServicesResolver, OnlineSourceResolver, SynchronisationResolver],
  routes: ({ services }) => onlineServiceRoutes(services),
};
