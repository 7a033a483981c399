import type { Feature } from '../../feature';
import { documentedSubscription, releasedSubscription } from './subscription.presenter';
import { subscriptionRoutes } from './subscription.rest';
import { SubscriptionService } from './subscription.service';

export const subscriptionFeature: Feature = {
  services: {
    subscription: ({ core: { clock }, services }) =>
      new SubscriptionService({
        counters: services.runCounters,
        runs: services.runUsage,
        workflows: services.workflowLists,
        clock,
      }),
  },
  tags: { Subscription: 'The licence pages of released clients. Nothing needs a licence.' },
  presenters: { subscription: documentedSubscription },
  releasedPresenters: { subscription: releasedSubscription },
  routes: ({ services, presenters }) => subscriptionRoutes(services, presenters),
};
