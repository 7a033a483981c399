import { z } from 'zod';
import type { Feature } from '../../feature';
import { controlCommand } from '../../platform/control/command';
import { KINDS } from './online-service';
import { OnlineItems } from './online-items.service';
import {
  OnlineServicesResolver,
  OnlineSourceResolver,
  SynchronisationResolver,
} from './online-service.graphql';
import { onlineServiceRoutes, presentSynchronisation } from './online-service.rest';
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
  commands: ({ synchronisations }) => [
    controlCommand(
      'online-services sync',
      z.object({ kind: z.enum(KINDS), isDryRun: z.boolean() }),
      async (actor, input, report) =>
        presentSynchronisation(
          await synchronisations.synchronise(actor, {
            ...input,
            report: (done, total) => report({ done, total }),
          }),
        ),
      ({ kind, isDryRun }) => (isDryRun ? null : kind),
    ),
  ],
  prepare: ({ services }) => services.synchronisationHistory.endInterrupted(),
  startRecurring: ({ services }) => services.synchronisations.start(),
  stop: ({ services }) => services.synchronisations.stop(),
  tags: { 'Online services': 'Invokers and templates of a portal.' },
  resolvers: [OnlineServicesResolver, OnlineSourceResolver, SynchronisationResolver],
  routes: ({ services }) => onlineServiceRoutes(services),
};
