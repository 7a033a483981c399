import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { CategoryBody } from './category.schema';
import type { PlacedCategory } from './category-reads';

export interface CategoryPresenters {
  readonly one: Presenter<[PlacedCategory]>;
  readonly list: Presenter<[readonly PlacedCategory[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly categories: CategoryPresenters;
  }
}

const present = ({
  category,
  parent,
  childIds,
}: PlacedCategory): z.output<typeof CategoryBody> => ({
  id: category._id,
  name: category.name,
  ...(parent && { parentCategory: { id: parent._id, name: parent.name } }),
  subCategories: [...childIds],
});

export const documentedCategories: CategoryPresenters = {
  one: presenter(CategoryBody, present),
  list: presenter(z.array(CategoryBody), (categories: readonly PlacedCategory[]) =>
    categories.map(present),
  ),
};
