import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import {
  AnswerId,
  BodyId,
  Identifiers,
  IdParams,
  NOBODY,
  requiring,
} from '../../platform/http/scalars';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Reply, Route } from '../../platform/http/route';
import { MOST_AT_ONCE } from '../../platform/store/records';
import { MAX_NAME_LENGTH } from './category.service';
import type { CategoryRecord } from './category.model';
import { categoryPolicy } from './category.policy';
import type { CategoryChange } from './category.service';
import type { PlacedCategory } from './category-tree';

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly categories: CategoryPresenters;
  }
}

interface CategoryPresenters {
  readonly one: Presenter<[PlacedCategory]>;
  readonly list: Presenter<[readonly PlacedCategory[]]>;
}

/** As in the released versions. */
const CategoryBody = z
  .object({
    id: AnswerId,
    name: z.string(),
    parentCategory: z
      .object({ id: AnswerId, name: z.string() })
      .optional()
      .meta({ description: 'The parent category. Missing at the top level.' }),
    subCategories: z.array(AnswerId).meta({ description: 'Ids of the direct subcategories.' }),
  })
  .meta({ id: 'Category', description: 'A folder for workflows.' });

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

const Reference = z.union([BodyId, z.looseObject({ id: BodyId })], {
  error: 'Expected the id of a category.',
});

/** A category in a request. The parent is an id, or a category as it was returned. */
const CategoryInput = z
  .object({
    id: BodyId.nullish(),
    name: z.string().nullish().meta({ minLength: 1, maxLength: MAX_NAME_LENGTH }),
    parentCategory: Reference.nullish().meta({
      description:
        'The parent category: an id, or a category as it was returned. Null: the top level. Omitted: unchanged.',
    }),
    subCategories: z.array(BodyId).max(MOST_AT_ONCE).nullish().meta({
      description: 'The direct subcategories; replaces the current ones. Omitted: unchanged.',
    }),
  })
  .meta({ id: 'CategoryInput' });

const NamedCategoryInput = requiring(CategoryInput, 'name').meta({ id: 'NamedCategory' });
/** Accepts `null`, for which the released line has its own error code. */
const body = NamedCategoryInput.nullable();

/**
 * Converts a request body to a change.
 * @param id id of the path, which the body may repeat
 */
function readChange(sent: z.output<typeof body>, id?: number): CategoryChange {
  if (sent === null) throw new BadInput('CATEGORY_IS_NULL', 'The body is null; send a category.');
  if (id !== undefined && (sent.id ?? id) !== id)
    throw new BadInput('BAD_REQUEST', `The body has the id ${sent.id}, the path the id ${id}.`, {
      path: ['id'],
    });
  const { name, parentCategory, subCategories } = sent;
  return {
    name: name ?? null,
    parentId:
      typeof parentCategory === 'object' && parentCategory !== null
        ? parentCategory.id
        : parentCategory,
    childIds: subCategories ?? undefined,
  };
}

const route = routesTagged('Categories');

const IN_BODY: PathTable = [
  [['parentId'], ['parentCategory']],
  [['childIds'], ['subCategories']],
];
const NOT_SAVED = [
  'CATEGORY_IS_NULL',
  'INVALID_CATEGORY_NAME',
  'TITLE_HAS_ALREADY_TAKEN',
  'PARENT_CATEGORY_NOT_FOUND',
  'SUB_CATEGORY_NOT_FOUND',
  'CYCLE_HAS_FOUND',
] as const satisfies readonly ErrorCode[];
const ALONE = 'Its workflows are left without a category; its subcategories move to the top level.';
const CASCADE = 'Also deletes all categories and workflows in it, at any depth, with all versions.';

const example = { body: { name: 'Tickets' } };

const categoryRouteContext = (
  { categories }: Services,
  { categories: shown, exists, requests }: Presenters,
) => {
  const reply = async (record: CategoryRecord, location?: string): Promise<Reply> =>
    recordReply(shown.one(await categories.placed(record)), record, location);
  const remove = (
    path: `/${string}`,
    summary: string,
    description: string,
    cascade: boolean,
  ): Route =>
    route(`DELETE ${path}`, {
      needs: categoryPolicy.delete,
      summary,
      description,
      params: IdParams,
      success: 204,
      errors: ['CATEGORY_NOT_FOUND'],
      record: 'deleted',
      handle: async ({ actor, params, expectedVersion }) =>
        void (await categories.remove(actor, params.id, { cascade, expectedVersion })),
    });
  const removeAll = (
    path: `/${string}`,
    summary: string,
    description: string,
    cascade: boolean,
  ): Route =>
    route(`PUT ${path}`, {
      servedOnFullDisk: true,
      needs: categoryPolicy.delete,
      summary,
      description,
      body: Identifiers,
      example: { body: NOBODY },
      success: 204,
      errors: ['CATEGORY_NOT_FOUND'],
      handle: async ({ actor, body: { identifiers } }) =>
        requests.deleteListed(identifiers, (ids) => categories.removeAll(actor, ids, { cascade })),
    });
  return { shown, categories, exists, reply, removeAll, remove };
};
type CategoryRouteContext = ReturnType<typeof categoryRouteContext>;

const getCategoryAll = ({ shown, categories }: CategoryRouteContext): Route =>
  route('GET /category/all', {
    needs: categoryPolicy.read,
    summary: 'List categories',
    answer: shown.list.answer,
    handle: async () => shown.list(await categories.allPlaced()),
  });

const getCategoryCheckByName = ({ exists, categories }: CategoryRouteContext): Route =>
  route('GET /category/check/:name', {
    needs: categoryPolicy.read,
    summary: 'Check whether a name is in use',
    params: z.object({ name: z.string() }),
    example: { params: { name: 'Tickets' } },
    answer: exists.record.answer,
    handle: async ({ params }) =>
      exists.record(
        await categories.exists(params.name),
        `/api/category/check/${encodeURIComponent(params.name)}`,
      ),
  });

const getCategoryById = ({ shown, reply, categories }: CategoryRouteContext): Route =>
  route('GET /category/:id', {
    needs: categoryPolicy.read,
    summary: 'Get a category',
    params: IdParams,
    answer: shown.one.answer,
    errors: ['CATEGORY_NOT_FOUND'],
    record: 'shown',
    handle: async ({ params }) => reply(await categories.get(params.id)),
  });

const postCategory = ({ shown, categories, reply }: CategoryRouteContext): Route =>
  route('POST /category', {
    needs: categoryPolicy.create,
    summary: 'Create a category',
    body,
    example,
    success: 201,
    answer: shown.one.answer,
    errors: NOT_SAVED,
    sentAs: IN_BODY,
    record: 'shown',
    handle: async ({ actor, body: sent, origin }) => {
      const record = await categories.create(actor, readChange(sent));
      return reply(record, `${origin.baseUrl}/api/category/${record._id}`);
    },
  });

const putCategoryById = ({ shown, reply, categories }: CategoryRouteContext): Route =>
  route('PUT /category/:id', {
    needs: categoryPolicy.update,
    summary: 'Rename or move a category',
    params: IdParams,
    body,
    example,
    answer: shown.one.answer,
    errors: ['CATEGORY_NOT_FOUND', ...NOT_SAVED],
    sentAs: IN_BODY,
    record: 'changed',
    handle: async ({ actor, params, body: sent, expectedVersion }) =>
      reply(
        await categories.update(actor, params.id, readChange(sent, params.id), expectedVersion),
      ),
  });

/** The paths are those of the released lines. */
export const categoryRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = categoryRouteContext(services, presenters);
  const { removeAll, remove } = context;
  return [
    getCategoryAll(context),
    getCategoryCheckByName(context),
    getCategoryById(context),
    postCategory(context),
    removeAll('/category/list/delete', 'Delete categories, all or none', ALONE, false),
    removeAll(
      '/category/list/cascade-delete',
      'Delete categories with their contents, all or none',
      CASCADE,
      true,
    ),
    putCategoryById(context),
    remove('/category/cascade-delete/:id', 'Delete a category with its contents', CASCADE, true),
    remove('/category/:id', 'Delete a category', ALONE, false),
  ];
};
