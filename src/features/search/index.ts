import type { Feature } from '../../platform/feature';
import { SearchResolver } from './search.graphql';
import { documentedSearch } from './search.presenter';
import { searchRoutes } from './search.rest';

export const searchFeature: Feature = {
  tags: { Search: 'Finding things by what they are called.' },
  resolvers: [SearchResolver],
  presenters: { search: documentedSearch },
  routes: ({ services, presenters }) => searchRoutes(services, presenters),
};
