import type { Feature } from '../../platform/feature';
import {
  AggregatorOfRunValueResolver,
  AggregatorOfStepResolver,
  WorkflowsOfAggregatorResolver,
} from './aggregator-links.graphql';
import { AggregatorArgumentResolver, AggregatorResolver } from './aggregator.graphql';
import { documentedAggregators } from './aggregator.presenter';
import { aggregatorRoutes } from './aggregator.rest';

export const aggregatorsFeature: Feature = {
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
