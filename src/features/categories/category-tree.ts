import type { Model } from 'mongoose';
import { NotFound } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import type { Tx } from '../../platform/store/store';
import type { CategoryRecord } from './category.model';
import { circle } from './category.rules';

/** The intended position of a category in the tree; `id` is null for a new one. */
export interface Place {
  readonly id: number | null;
  readonly name: string;
  readonly parentId: number | null;
  readonly childIds: readonly number[];
}

export type CategoryTree = ReturnType<typeof createCategoryTree>;

export function createCategoryTree(categories: Model<CategoryRecord>) {
  /** A category and its ancestors, innermost first; empty if it does not exist. */
  async function lineOf(id: number, tx: Tx): Promise<CategoryRecord[]> {
    const line: CategoryRecord[] = [];
    for (let at: number | null = id; at !== null;) {
      const record: CategoryRecord | null = await categories
        .findById(at, null, { session: tx.session })
        .lean<CategoryRecord>();
      if (!record) break;
      line.push(record);
      at = record.parentId;
    }
    return line;
  }

  const noteMissingChildren = async (
    childIds: readonly number[],
    found: Findings,
    tx: Tx,
  ): Promise<void> => {
    const there = new Set(
      (
        await categories
          .find({ _id: { $in: [...childIds] } }, { _id: 1 }, { session: tx.session })
          .lean<{ _id: number }[]>()
      ).map(({ _id }) => _id),
    );
    childIds.forEach((id, at) => {
      if (!there.has(id))
        found.add(
          new NotFound(
            'SUB_CATEGORY_NOT_FOUND',
            `SUB_CATEGORY_NOT_FOUND(${id}): there is no category ${id}.`,
            { path: ['childIds', at] },
          ),
        );
    });
  };

  return {
    /**
     * Checks a position and writes all ancestors: two concurrent moves that would form a cycle
     * together write each other's categories, so they conflict.
     */
    async take({ id, name, parentId, childIds }: Place, found: Findings, tx: Tx): Promise<void> {
      const line = parentId === null ? [] : await lineOf(parentId, tx);
      if (parentId !== null && line.length === 0)
        found.add(
          new NotFound('PARENT_CATEGORY_NOT_FOUND', `There is no category ${parentId}.`, {
            path: ['parentId'],
          }),
        );
      await noteMissingChildren(childIds, found, tx);
      const own = line.findIndex((record) => record._id === id);
      const wayUp = (to: number): string[] => [
        name,
        ...line.slice(0, to + 1).map((record) => record.name),
      ];
      if (own >= 0) found.add(circle(wayUp(own), ['parentId']));
      childIds.forEach((childId, at) => {
        const above = line.findIndex((record) => record._id === childId);
        if (childId === id) found.add(circle([name, name], ['childIds', at]));
        else if (above >= 0 && (own < 0 || above < own))
          found.add(circle([line[above]?.name ?? name, ...wayUp(above)], ['childIds', at]));
      });
      const ids = line.map((record) => record._id);
      if (ids.length > 0)
        await categories.updateMany(
          { _id: { $in: ids } },
          { $inc: { claims: 1 } },
          { session: tx.session },
        );
    },

    /**
     * Sets the direct subcategories of a category; those that are no longer included move to the
     * top level.
     */
    async setChildren(id: number, childIds: readonly number[], tx: Tx): Promise<void> {
      const { session } = tx;
      await categories.updateMany(
        { parentId: id, _id: { $nin: [...childIds] } },
        { $set: { parentId: null }, $inc: { version: 1 } },
        { session },
      );
      await categories.updateMany(
        { _id: { $in: [...childIds] }, parentId: { $ne: id } },
        { $set: { parentId: id }, $inc: { version: 1 } },
        { session },
      );
    },

    /** These categories and all below them, without duplicates. */
    async subtree(ids: readonly number[], tx?: Tx): Promise<number[]> {
      const all = new Set(ids);
      for (let level = [...all]; level.length > 0;) {
        const below = await categories
          .find({ parentId: { $in: level } }, { _id: 1 }, { session: tx?.session })
          .lean<{ _id: number }[]>();
        level = below.map(({ _id }) => _id).filter((id) => !all.has(id));
        for (const id of level) all.add(id);
      }
      return [...all];
    },
  };
}
