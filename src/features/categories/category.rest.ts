import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import { ExistsBody, existsBody } from '../../platform/http/exists';
import { Identifiers, IdParams, NOBODY } from '../../platform/http/scalars';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { route } from '../../platform/http/route';
import type { Reply, Route } from '../../platform/http/route';
import type { CategoryRecord } from './category.model';
import { categoryPolicy } from './category.policy';
import { categoryChange, NamedCategoryInput } from './category.schema';

const tag = 'Categories';

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
const FREED = 'Its workflows stay without a category, what stands below it goes to the top.';
const WITH_ALL = 'With everything below it and every workflow in any of them, versions and all.';

/** Accepts `null`, for which the released line has its own error code. */
const body = NamedCategoryInput.nullable();
const example = { body: { name: 'Tickets' } };

function requireCategory(
  sent: z.output<typeof body>,
  id?: number,
): z.output<typeof NamedCategoryInput> {
  if (sent === null)
    throw new BadInput('CATEGORY_IS_NULL', 'The body is null: this operation reads a category.');
  const named = id === undefined ? undefined : (sent.id ?? undefined);
  if (named !== undefined && named !== id)
    throw new BadInput(
      'BAD_REQUEST',
      `The body names category ${named}, the path category ${id}.`,
      { path: ['id'] },
    );
  return sent;
}

/** The paths are those of the released lines. */
export function categoryRoutes(
  { categories }: Services,
  { categories: shown }: Presenters,
): Route[] {
  const reply = async (record: CategoryRecord, location?: string): Promise<Reply> =>
    recordReply(shown.one(await categories.placed(record)), record, location);
  const remove = (
    path: string,
    summary: string,
    description: string,
    work: 'remove' | 'removeTree',
  ): Route =>
    route({
      method: 'delete',
      path,
      needs: categoryPolicy.delete,
      tag,
      summary,
      description,
      params: IdParams,
      success: 204,
      errors: ['CATEGORY_NOT_FOUND'],
      record: 'deleted',
      handle: async ({ actor, params, expectedVersion }) =>
        void (await categories[work](actor, params.id, expectedVersion)),
    });
  const removeAll = (
    path: string,
    summary: string,
    description: string,
    work: 'removeAll' | 'removeTrees',
  ): Route =>
    route({
      method: 'put',
      path,
      needs: categoryPolicy.delete,
      tag,
      summary,
      description,
      body: Identifiers,
      example: { body: NOBODY },
      success: 204,
      errors: ['CATEGORY_NOT_FOUND'],
      handle: async ({ actor, body: { identifiers } }) =>
        void (await categories[work](actor, identifiers)),
    });

  return [
    route({
      method: 'get',
      path: '/category/all',
      needs: categoryPolicy.read,
      tag,
      summary: 'Every category',
      success: 200,
      answer: shown.list.answer,
      handle: async () => shown.list(await categories.allPlaced()),
    }),
    route({
      method: 'get',
      path: '/category/check/:name',
      needs: categoryPolicy.read,
      tag,
      summary: 'Is a name taken?',
      params: z.object({ name: z.string() }),
      example: { params: { name: 'Tickets' } },
      success: 200,
      answer: ExistsBody,
      handle: async ({ params }) =>
        existsBody(
          await categories.exists(params.name),
          `/api/category/check/${encodeURIComponent(params.name)}`,
        ),
    }),
    route({
      method: 'get',
      path: '/category/:id',
      needs: categoryPolicy.read,
      tag,
      summary: 'One category',
      params: IdParams,
      success: 200,
      answer: shown.one.answer,
      errors: ['CATEGORY_NOT_FOUND'],
      record: 'shown',
      handle: async ({ params }) => reply(await categories.get(params.id)),
    }),
    route({
      method: 'post',
      path: '/category',
      needs: categoryPolicy.create,
      tag,
      summary: 'Adds a category',
      body,
      example,
      success: 201,
      answer: shown.one.answer,
      errors: NOT_SAVED,
      sentAs: IN_BODY,
      record: 'shown',
      handle: async ({ actor, body: sent, origin }) => {
        const record = await categories.create(actor, categoryChange(requireCategory(sent)));
        return reply(record, `${origin.baseUrl}/api/category/${record._id}`);
      },
    }),
    removeAll('/category/list/delete', 'Deletes categories, all or none', FREED, 'removeAll'),
    removeAll(
      '/category/list/cascade-delete',
      'Deletes categories with all that is in them, all or none',
      WITH_ALL,
      'removeTrees',
    ),
    route({
      method: 'put',
      path: '/category/:id',
      needs: categoryPolicy.update,
      tag,
      summary: 'Renames or moves a category',
      params: IdParams,
      body,
      example,
      success: 200,
      answer: shown.one.answer,
      errors: ['CATEGORY_NOT_FOUND', ...NOT_SAVED],
      sentAs: IN_BODY,
      record: 'changed',
      handle: async ({ actor, params, body: sent, expectedVersion }) =>
        reply(
          await categories.update(
            actor,
            params.id,
            categoryChange(requireCategory(sent, params.id)),
            expectedVersion,
          ),
        ),
    }),
    remove(
      '/category/cascade-delete/:id',
      'Deletes a category with all that is in it',
      WITH_ALL,
      'removeTree',
    ),
    remove('/category/:id', 'Deletes a category', FREED, 'remove'),
  ];
}
