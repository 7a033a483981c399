import { createAggregatorService } from './aggregator.service';
import { aggregatorPolicy } from './aggregator.policy';
import { createKnownAggregators } from './known-aggregators';
import type { Feature } from '../../feature';
import {
  AggregatorOfRunValueResolver,
  AggregatorOfStepResolver,
  WorkflowsOfAggregatorResolver,
} from './aggregator-links.graphql';
import { AggregatorArgumentResolver, AggregatorResolver } from './aggregator.graphql';
import { documentedAggregators } from './aggregator.presenter';
import { aggregatorRoutes } from './aggregator.rest';

declare module '../../platform/context' {
  interface Services {
    knownAggregators: ReturnType<typeof createKnownAggregators>;
  }
}

export const aggregatorsFeature: Feature = {
  services: {
    aggregators: ({ core: { store }, services: { audit, workflows } }) =>
      createAggregatorService({ store, audit, workflows }),
    knownAggregators: ({ core: { store } }) => createKnownAggregators(store),
  },
  search: ({ aggregators }) => ({
    type: 'Aggregator',
    need: aggregatorPolicy.read,
    find: (...of) => aggregators.searchTitles(...of),
  }),
  tags: { Aggregators: 'Scripts that make values of what the methods of a run were answered.' },
  resolvers: [
    AggregatorArgumentResolver,
    AggregatorOfRunValueResolver,
    AggregatorOfStepResolver,
    AggregatorResolver,
    WorkflowsOfAggregatorResolver,
  ],
  presenters: { aggregators: documentedAggregators },
  routes: ({ services, presenters }) => aggregatorRoutes(services, presenters),
};
