import { AggregatorCatalog } from './aggregator-catalog';
import { aggregatorPolicy } from './aggregator.policy';
import { AggregatorService } from './aggregator.service';
import type { Feature } from '../../feature';
import {
  AggregatorArgumentResolver,
  AggregatorOfRunValueResolver,
  AggregatorOfStepResolver,
  AggregatorResolver,
} from './aggregator.graphql';
import { documentedAggregators } from './aggregator.presenter';
import { aggregatorRoutes } from './aggregator.rest';

declare module '../../platform/context' {
  interface Services {
    aggregatorCatalog: AggregatorCatalog;
  }
}

export const aggregatorsFeature: Feature = {
  services: {
    aggregatorCatalog: ({ core: { store } }) => new AggregatorCatalog(store),
    aggregators: ({ core: { store }, services: { audit, workflowReferences } }) =>
      new AggregatorService({ store, audit, workflowReferences }),
  },
  search: ({ aggregators }) => ({
    type: 'Aggregator',
    need: aggregatorPolicy.read,
    find: (...of) => aggregators.searchTitles(...of),
  }),
  tags: { Aggregators: 'Scripts that compute values from the requests and responses of a run.' },
  resolvers: [
    AggregatorArgumentResolver,
    AggregatorOfRunValueResolver,
    AggregatorOfStepResolver,
    AggregatorResolver,
  ],
  presenters: { aggregators: documentedAggregators },
  routes: ({ services, presenters }) => aggregatorRoutes(services, presenters),
};
