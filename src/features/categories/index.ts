import { createKnownCategories } from './known-categories';
import { createCategoryService } from './category.service';
import { categoryPolicy } from './category.policy';
import type { Feature } from '../../feature';
import {
  CategoryOfWorkflowResolver,
  WorkflowsOfCategoryResolver,
} from './category-workflows.graphql';
import { CategoryResolver } from './category.graphql';
import { documentedCategories } from './category.presenter';
import { categoryRoutes } from './category.rest';

declare module '../../platform/context' {
  interface Services {
    knownCategories: ReturnType<typeof createKnownCategories>;
  }
}

export const categoriesFeature: Feature = {
  services: {
    categories: ({ core: { store }, services: { audit, workflows } }) =>
      createCategoryService({ store, audit, workflows }),
    knownCategories: ({ core: { store } }) => createKnownCategories(store),
  },
  search: ({ categories }) => ({
    type: 'Category',
    need: categoryPolicy.read,
    find: (...of) => categories.searchTitles(...of),
  }),
  tags: { Categories: 'Folders of workflows.' },
  resolvers: [CategoryOfWorkflowResolver, CategoryResolver, WorkflowsOfCategoryResolver],
  presenters: { categories: documentedCategories },
  routes: ({ services, presenters }) => categoryRoutes(services, presenters),
};
