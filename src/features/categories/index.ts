import { categoryPolicy } from './category.policy';
import { CategoryService, createKnownCategories } from './category.service';
import type { Feature } from '../../feature';
import { CategoryOfWorkflowResolver, CategoryResolver } from './category.graphql';
import { categoryRoutes, documentedCategories } from './category.rest';

declare module '../../platform/context' {
  interface Services {
    knownCategories: ReturnType<typeof createKnownCategories>;
  }
}

export const categoriesFeature: Feature = {
  services: {
    categories: ({ core: { store }, services: { audit, workflowDeletion, workflowReferences } }) =>
      new CategoryService({
        store,
        audit,
        workflows: workflowDeletion,
        workflowReferences,
      }),
    knownCategories: ({ core: { store } }) => createKnownCategories(store),
  },
  search: ({ categories }) => ({
    type: 'Category',
    need: categoryPolicy.read,
    find: (...of) => categories.searchTitles(...of),
  }),
  tags: { Categories: 'Folders for workflows.' },
  resolvers: [CategoryOfWorkflowResolver, CategoryResolver],
  presenters: { categories: documentedCategories },
  routes: ({ services, presenters }) => categoryRoutes(services, presenters),
};
