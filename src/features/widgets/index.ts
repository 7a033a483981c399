import { DashboardFeed } from './dashboard-feed';
import { RunCounters } from './run-counters.service';
import { SystemMetrics } from './system-metrics.service';
import { WidgetCatalog } from './widget-catalog.service';
import { WidgetSettings } from './widget-settings.service';
import { WidgetService } from './widget.service';
import type { Feature } from '../../feature';
import { WidgetCatalogResolver } from './widget-catalog.graphql';
import { documentedWidgetCatalog, widgetCatalogRoutes } from './widget-catalog.rest';
import { WidgetSettingsResolver } from './widget-settings.graphql';
import { documentedWidgetSettings, widgetSettingsRoutes } from './widget-settings.rest';
import {
  BoundsOfTimelinePointResolver,
  LinksOfRunningRunResolver,
  LinksOfTopWorkflowResolver,
  WidgetResolver,
} from './widget.graphql';
import { documentedWidgets, widgetRoutes } from './widget.rest';
import { widgetDestinations } from './widget.stomp';

declare module '../../platform/context' {
  interface Services {
    runCounters: RunCounters;
  }
}

export const widgetsFeature: Feature = {
  services: {
    dashboard: ({ core: { store, bus }, services: { widgets } }) =>
      new DashboardFeed({ widgets, bus, store }),
    runCounters: ({ core: { store }, config }) => new RunCounters(store, config.timeZone),
    systemMetrics: ({ core: { clock }, config, services: { runCounters, runEventLog } }) =>
      new SystemMetrics({
        clock,
        counters: runCounters,
        events: runEventLog,
        dataDir: config.data.dir,
      }),
    widgetCatalog: ({ core: { store }, services: { audit } }) =>
      new WidgetCatalog({ store, audit }),
    widgetSettings: ({ core: { store }, services: { widgetCatalog } }) =>
      new WidgetSettings({ store, widgets: widgetCatalog }),
    widgets: ({ core: { clock }, services: { runCounters, workflows, runs } }) =>
      new WidgetService({ counters: runCounters, workflows, runs, clock }),
  },
  tags: { Widgets: 'Figures and layout of dashboards.' },
  resolvers: [
    LinksOfRunningRunResolver,
    WidgetCatalogResolver,
    WidgetResolver,
    WidgetSettingsResolver,
    BoundsOfTimelinePointResolver,
    LinksOfTopWorkflowResolver,
  ],
  presenters: {
    widgetCatalog: documentedWidgetCatalog,
    widgetSettings: documentedWidgetSettings,
    widgets: documentedWidgets,
  },
  routes: ({ services, presenters }) => [
    ...widgetCatalogRoutes(services, presenters),
    ...widgetSettingsRoutes(services, presenters),
    ...widgetRoutes(services, presenters),
  ],
  destinations: ({ services }) => widgetDestinations(services),
};
