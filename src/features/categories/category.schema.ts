import { z } from 'zod';
import { AnswerId, BodyId, requiring } from '../../platform/http/scalars';
import { MOST_AT_ONCE } from '../../platform/store/records';
import { NAME_LENGTH } from './category.rules';
import type { CategoryChange } from './category-saving';

/** Spec: released lines, 2.16. */
export const CategoryBody = z
  .object({
    id: AnswerId,
    name: z.string(),
    parentCategory: z
      .object({ id: AnswerId, name: z.string() })
      .optional()
      .meta({ description: 'What it stands below; missing for one at the top.' }),
    subCategories: z.array(AnswerId).meta({ description: 'What stands directly below it.' }),
  })
  .meta({ id: 'Category', description: 'A folder of workflows.' });

const Reference = z.union([BodyId, z.looseObject({ id: BodyId })], {
  error: 'Expected the id of a category.',
});

/** A category in a request. The parent is an id, or a category as it was returned. */
export const CategoryInput = z
  .object({
    id: BodyId.nullish(),
    name: z.string().nullish().meta({ minLength: 1, maxLength: NAME_LENGTH }),
    parentCategory: Reference.nullish().meta({
      description:
        'What it is to stand below: an id, or a category as it was shown. Null: at the top. Left out: where it is.',
    }),
    subCategories: z
      .array(BodyId)
      .max(MOST_AT_ONCE)
      .nullish()
      .meta({ description: 'Everything that is to stand directly below it. Left out: what does.' }),
  })
  .meta({ id: 'CategoryInput' });

/** `CategoryInput` with a required name. */
export const NamedCategoryInput = requiring(CategoryInput, 'name').meta({ id: 'NamedCategory' });

/** Converts a request body to a change. */
export const categoryChange = ({
  name,
  parentCategory,
  subCategories,
}: z.output<typeof CategoryInput>): CategoryChange => ({
  name: name ?? null,
  parentId:
    typeof parentCategory === 'object' && parentCategory !== null
      ? parentCategory.id
      : parentCategory,
  childIds: subCategories ?? undefined,
});
