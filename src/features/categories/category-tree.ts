import { Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import type { Collection } from '../../platform/store/collection';
import type { Tx } from '../../platform/store/store';
import type { CategoryRecord } from './category.model';

/** The intended position of a category in the tree; `id` is null for a new one. */
interface Position {
  readonly id: number | null;
  readonly name: string;
  readonly parentId: number | null;
  readonly childIds: readonly number[];
}

/** A category with its parent and its direct subcategories. */
export interface PlacedCategory {
  readonly category: CategoryRecord;
  readonly parent: CategoryRecord | null;
  readonly childIds: readonly number[];
}

/** The error for a cycle; `names` leads from a category back to itself. */
const cycleError = (names: readonly string[], path: InputPath): Conflict =>
  new Conflict('CYCLE_HAS_FOUND', `A category cannot be below itself: ${names.join(' > ')}.`, {
    path,
  });

/** Reads and changes the positions of categories. */
export class CategoryTree {
  constructor(private readonly categories: Collection<CategoryRecord>) {}

  /**
   * Checks a position and writes all ancestors: two concurrent moves that would form a cycle
   * together write each other's categories, so they conflict.
   */
  async claimPosition(
    { id, name, parentId, childIds }: Position,
    findings: Findings,
    tx: Tx,
  ): Promise<void> {
    const ancestors = parentId === null ? [] : await this.withAncestors(parentId, tx);
    if (parentId !== null && ancestors.length === 0)
      findings.add(
        new NotFound('PARENT_CATEGORY_NOT_FOUND', `There is no category ${parentId}.`, {
          path: ['parentId'],
        }),
      );
    await this.checkChildrenExist(childIds, findings, tx);
    const own = ancestors.findIndex((record) => record._id === id);
    const namesUpTo = (index: number): string[] => [
      name,
      ...ancestors.slice(0, index + 1).map((record) => record.name),
    ];
    if (own >= 0) findings.add(cycleError(namesUpTo(own), ['parentId']));
    childIds.forEach((childId, at) => {
      const above = ancestors.findIndex((record) => record._id === childId);
      if (childId === id) findings.add(cycleError([name, name], ['childIds', at]));
      else if (above >= 0 && (own < 0 || above < own))
        findings.add(cycleError([ancestors[above].name, ...namesUpTo(above)], ['childIds', at]));
    });
    if (ancestors.length > 0)
      await this.categories.updateMany(
        { _id: { $in: ancestors.map((record) => record._id) } },
        { $inc: { claims: 1 } },
        tx,
      );
  }

  /**
   * Sets the direct subcategories of a category; those that are no longer included move to the top
   * level.
   */
  async setChildren(id: number, childIds: readonly number[], tx: Tx): Promise<void> {
    await this.categories.updateMany(
      { parentId: id, _id: { $nin: [...childIds] } },
      { $set: { parentId: null }, $inc: { version: 1 } },
      tx,
    );
    await this.categories.updateMany(
      { _id: { $in: [...childIds] }, parentId: { $ne: id } },
      { $set: { parentId: id }, $inc: { version: 1 } },
      tx,
    );
  }

  /** Returns the ids of these categories and of all below them, without duplicates. */
  async subtree(ids: readonly number[], tx?: Tx): Promise<number[]> {
    const all = new Set(ids);
    for (let level = [...all]; level.length > 0;) {
      const below = await this.categories.find<{ _id: number }>(
        { parentId: { $in: level } },
        { tx, fields: { _id: 1 } },
      );
      level = below.map(({ _id }) => _id).filter((id) => !all.has(id));
      for (const id of level) all.add(id);
    }
    return [...all];
  }

  async placed(category: CategoryRecord): Promise<PlacedCategory> {
    const [parent, children] = await Promise.all([
      category.parentId === null ? null : this.categories.byId(category.parentId),
      this.categories.find<{ _id: number }>(
        { parentId: category._id },
        { fields: { _id: 1 }, sort: { _id: 1 } },
      ),
    ]);
    return { category, parent, childIds: children.map(({ _id }) => _id) };
  }

  /** Returns all categories by id. */
  async allPlaced(): Promise<PlacedCategory[]> {
    const records = await this.categories.find({}, { sort: { _id: 1 } });
    const byId = new Map(records.map((record) => [record._id, record]));
    const children = new Map<number, number[]>();
    for (const { _id, parentId } of records) {
      if (parentId === null) continue;
      const siblings = children.get(parentId) ?? [];
      siblings.push(_id);
      children.set(parentId, siblings);
    }
    return records.map((category) => ({
      category,
      parent: byId.get(category.parentId ?? 0) ?? null,
      childIds: children.get(category._id) ?? [],
    }));
  }

  /** Returns a category and its ancestors, innermost first; empty if it does not exist. */
  private async withAncestors(id: number, tx: Tx): Promise<CategoryRecord[]> {
    const records: CategoryRecord[] = [];
    for (let at: number | null = id; at !== null;) {
      const record: CategoryRecord | null = await this.categories.byId(at, tx);
      if (!record) break;
      records.push(record);
      at = record.parentId;
    }
    return records;
  }

  private async checkChildrenExist(
    childIds: readonly number[],
    findings: Findings,
    tx: Tx,
  ): Promise<void> {
    (await this.categories.byIds(childIds, { tx })).forEach((record, at) => {
      const id = childIds[at];
      if (!record)
        findings.add(
          new NotFound(
            'SUB_CATEGORY_NOT_FOUND',
            `SUB_CATEGORY_NOT_FOUND(${id}): there is no category ${id}.`,
            { path: ['childIds', at] },
          ),
        );
    });
  }
}
