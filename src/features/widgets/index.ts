import type { Feature } from '../../platform/feature';
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

export const widgetsFeature: Feature = {
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
