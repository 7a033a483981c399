import type { Feature } from '../../platform/feature';
import {
  CategoryOfWorkflowResolver,
  WorkflowsOfCategoryResolver,
} from './category-workflows.graphql';
import { CategoryResolver } from './category.graphql';
import { documentedCategories } from './category.presenter';
import { categoryRoutes } from './category.rest';

export const categoriesFeature: Feature = {
  tags: { Categories: 'Folders of workflows.' },
  resolvers: [CategoryOfWorkflowResolver, CategoryResolver, WorkflowsOfCategoryResolver],
  presenters: { categories: documentedCategories },
  routes: ({ services, presenters }) => categoryRoutes(services, presenters),
};
