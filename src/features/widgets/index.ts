import { createWidgetCatalogue } from './catalogue/widget-catalogue.service';
import { createDashboardFeed } from './dashboard-feed';
import { createRunCounters } from './run-counters.service';
import type { RunCounters } from './run-counters.service';
import { createWidgetSettings } from './settings/widget-settings.service';
import { createWidgetService } from './widget.service';
import type { Feature } from '../../feature';
import { WidgetCatalogueResolver } from './catalogue/widget-catalogue.graphql';
import { documentedWidgetCatalogue } from './catalogue/widget-catalogue.presenter';
import { widgetCatalogueRoutes } from './catalogue/widget-catalogue.rest';
import { WidgetSettingsResolver } from './settings/widget-settings.graphql';
import { documentedWidgetSettings } from './settings/widget-settings.presenter';
import { widgetSettingsRoutes } from './settings/widget-settings.rest';
import {
  BoundsOfTimelinePointResolver,
  LinksOfRunningRunResolver,
  WorkflowOfTopWorkflowResolver,
} from './widget-links.graphql';
import { WidgetResolver } from './widget.graphql';
import { documentedWidgets } from './widget.presenter';
import { widgetRoutes } from './widget.rest';

declare module '../../platform/context' {
  interface Services {
    runCounters: RunCounters;
  }
}

export const widgetsFeature: Feature = {
  services: {
    dashboard: ({ core: { store, bus }, services: { widgets } }) =>
      createDashboardFeed({ widgets, bus, store }),
    runCounters: ({ core: { store }, config }) => createRunCounters({ store, config }),
    widgetCatalogue: ({ core: { store }, services: { audit } }) =>
      createWidgetCatalogue({ store, audit }),
    widgetSettings: ({ core: { store }, services: { widgetCatalogue } }) =>
      createWidgetSettings({ store, widgets: () => widgetCatalogue }),
    widgets: ({ core: { clock }, services: { runCounters, workflows, runs } }) =>
      createWidgetService({ counters: runCounters, workflows, runs, clock }),
  },
  tags: { Widgets: 'What the dashboard shows.' },
  resolvers: [
    LinksOfRunningRunResolver,
    WidgetCatalogueResolver,
    WidgetResolver,
    WidgetSettingsResolver,
    BoundsOfTimelinePointResolver,
    WorkflowOfTopWorkflowResolver,
  ],
  presenters: {
    widgetCatalogue: documentedWidgetCatalogue,
    widgetSettings: documentedWidgetSettings,
    widgets: documentedWidgets,
  },
  routes: ({ services, presenters }) => [
    ...widgetCatalogueRoutes(services, presenters),
    ...widgetSettingsRoutes(services, presenters),
    ...widgetRoutes(services, presenters),
  ],
};
