import { createSearchService } from './search.service';
import type { Feature } from '../../feature';
import { SearchResolver } from './search.graphql';
import { documentedSearch } from './search.presenter';
import { searchRoutes } from './search.rest';

export const searchFeature: Feature = {
  services: {
    search: ({ features, services }) =>
      createSearchService(features.flatMap(({ search }) => search?.(services) ?? [])),
  },
  tags: { Search: 'Finding things by what they are called.' },
  resolvers: [SearchResolver],
  presenters: { search: documentedSearch },
  routes: ({ services, presenters }) => searchRoutes(services, presenters),
};
