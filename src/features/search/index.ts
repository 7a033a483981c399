import { SearchService } from './search.service';
import type { Feature } from '../../feature';
import { SearchResolver } from './search.graphql';
import { documentedSearch, releasedSearch, searchRoutes } from './search.rest';

export const searchFeature: Feature = {
  services: {
    search: ({ features, services }) =>
      new SearchService(features.flatMap(({ search }) => search?.(services) ?? [])),
  },
  tags: { Search: 'Search by title.' },
  resolvers: [SearchResolver],
  presenters: { search: documentedSearch },
  releasedPresenters: { search: releasedSearch },
  routes: ({ services, presenters }) => searchRoutes(services, presenters),
};
