import type { Actor } from '../../platform/access/actor';
import { BadInput } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Collection } from '../../platform/store/collection';
import {
  eachOnce,
  MOST_AT_ONCE,
  placesIn,
  requireVersion,
  THE_ID,
} from '../../platform/store/records';
import type { ExpectedVersion, PlaceOf } from '../../platform/store/records';
import type { Adoption } from '../../platform/store/startup/adoption';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { knownRecords } from '../../platform/store/known-records';
import { pagesOf } from '../../platform/store/lists/pages-of';
import { KeyedLock } from '../../platform/queues';
import type { Store, Tx } from '../../platform/store/store';
import { titleSearch } from '../../platform/store/lists/title-search';
import type { TitleSearch } from '../../platform/store/lists/title-search';
import { UniqueNames } from '../../platform/store/unique-names';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { WorkflowDeletion } from '../workflows/saving/workflow-deletion';
import type { WorkflowReferences } from '../workflows/references/workflow-references';
import { CategoryTree } from './category-tree';
import type { PlacedCategory } from './category-tree';
import {
  categoryCollection,
  categoryNotFound,
  nameTaken,
  parseName,
  recorded,
} from './category.model';
import type { CategoryRecord } from './category.model';

export { MAX_NAME_LENGTH } from './category.model';

declare module '../../platform/context' {
  interface Services {
    categories: CategoryService;
  }
}

/** A category to create, or a change: undefined fields keep their value. */
export interface CategoryChange {
  readonly name?: string | null;
  /** Null: top level. */
  readonly parentId?: number | null;
  /** Replaces the direct subcategories. */
  readonly childIds?: readonly number[];
}

interface CategoryDeletion {
  /** Also delete all subcategories and workflows in it. */
  readonly cascade?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

/** Checks and claims the categories that workflows refer to. */
export const createKnownCategories = (store: Store) => knownRecords(categoryCollection(store));

const target = (id: number) => ({ type: 'Category', id }) as const;

/** Folders for workflows: a tree of names, unique without regard to case. */
export class CategoryService {
  private readonly categories: Collection<CategoryRecord>;
  private readonly tree: CategoryTree;
  private readonly names: UniqueNames<CategoryRecord>;
  private readonly locks = new KeyedLock();
  readonly searchTitles: TitleSearch;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly audit: AuditService;
      readonly workflows: WorkflowDeletion;
      readonly workflowReferences: WorkflowReferences;
    },
  ) {
    this.categories = categoryCollection(deps.store);
    this.tree = new CategoryTree(this.categories);
    this.names = new UniqueNames(this.categories, { takenError: nameTaken });
    this.searchTitles = titleSearch(this.categories, { title: 'name', key: 'nameKey' });
  }

  /** @throws NotFound CATEGORY_NOT_FOUND */
  async get(id: number): Promise<CategoryRecord> {
    const record = await this.categories.byId(id);
    if (!record) throw categoryNotFound(id);
    return record;
  }

  /** Returns the categories in the given order, null for missing ones. */
  async byIds(ids: readonly number[], tx?: Tx): Promise<(CategoryRecord | null)[]> {
    return this.categories.byIds(ids, { tx });
  }

  page(query: PageQuery): Promise<Page<CategoryRecord>> {
    return pageOf<CategoryRecord>(this.categories, query);
  }

  /** Returns one page of direct subcategories per parent. */
  pagesBelow(parentIds: readonly number[], query: PageQuery): Promise<Page<CategoryRecord>[]> {
    return pagesOf(this.categories, 'parentId', parentIds, query);
  }

  /** Returns whether a category has this name, without regard to case. */
  exists(name: string): Promise<boolean> {
    return this.names.has(name);
  }

  placed(category: CategoryRecord): Promise<PlacedCategory> {
    return this.tree.placed(category);
  }

  allPlaced(): Promise<PlacedCategory[]> {
    return this.tree.allPlaced();
  }

  /**
   * @throws BadInput INVALID_CATEGORY_NAME
   * @throws NotFound PARENT_CATEGORY_NOT_FOUND, SUB_CATEGORY_NOT_FOUND
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN another category has the name; CYCLE_HAS_FOUND
   */
  async create(
    actor: Actor,
    { name: typed, parentId = null, childIds: inputChildIds = [] }: CategoryChange,
    adoption?: Adoption,
  ): Promise<CategoryRecord> {
    const childIds = [...new Set(inputChildIds)];
    const work = async (tx: Tx): Promise<CategoryRecord> => {
      const findings = new Findings();
      const parsed = findings.ofSync(() => parseName(typed));
      if (parsed !== undefined) await this.names.check(parsed, null, findings, tx);
      const position = { id: null, name: parsed ?? '', parentId, childIds };
      await this.tree.claimPosition(position, findings, tx);
      const name = findings.passed(parsed);
      const id = adoption?.id ?? (await this.deps.store.nextId('categories', tx));
      const fields = { _id: id, name, nameKey: fold(name), parentId, claims: 0, version: 1 };
      const record = await this.categories.insert(fields, tx);
      if (childIds.length > 0) await this.tree.setChildren(id, childIds, tx);
      const after = { ...recorded(record), ...(childIds.length > 0 && { childIds }) };
      await this.deps.audit.record(actor, 'category.create', target(id), null, after, tx);
      return record;
    };
    return adoption ? work(adoption.tx) : this.save(typed, work);
  }

  /**
   * Renames or moves a category.
   * @throws BadInput INVALID_CATEGORY_NAME
   * @throws NotFound CATEGORY_NOT_FOUND, PARENT_CATEGORY_NOT_FOUND, SUB_CATEGORY_NOT_FOUND
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN another category has the name; CYCLE_HAS_FOUND;
   * CONFLICT the version differs
   */
  async update(
    actor: Actor,
    id: number,
    change: CategoryChange,
    expectedVersion?: ExpectedVersion,
  ): Promise<CategoryRecord> {
    const childIds = change.childIds && [...new Set(change.childIds)];
    return this.save(change.name, async (tx) => {
      const findings = new Findings();
      const before = await this.categories.byId(id, tx);
      if (before) findings.ofSync(() => requireVersion('category', before, expectedVersion));
      else findings.add(categoryNotFound(id));
      const parsed =
        change.name === undefined ? before?.name : findings.ofSync(() => parseName(change.name));
      if (parsed !== undefined && parsed !== before?.name)
        await this.names.check(parsed, id, findings, tx);
      const parentId = change.parentId === undefined ? (before?.parentId ?? null) : change.parentId;
      if (parentId !== (before?.parentId ?? null) || childIds !== undefined) {
        const current = parsed ?? before?.name ?? '';
        const position = { id, name: current, parentId, childIds: childIds ?? [] };
        await this.tree.claimPosition(position, findings, tx);
      }
      const [base, name] = [findings.passed(before), findings.passed(parsed)];
      if (childIds) await this.tree.setChildren(id, childIds, tx);
      const nameKey = name === base.name ? base.nameKey : fold(name);
      const fields = { name, nameKey, parentId, version: base.version + 1 };
      const after = await this.categories.change(id, fields, tx);
      const shown = { ...recorded(after), ...(childIds && { childIds }) };
      await this.deps.audit.record(actor, 'category.update', target(id), recorded(base), shown, tx);
      return after;
    });
  }

  /**
   * Deletes a category and returns the deleted record. Without `cascade`, its workflows are left
   * without a category, and its subcategories move to the top level.
   * @throws NotFound CATEGORY_NOT_FOUND
   * @throws BadInput it contains too much (`cascade`)
   * @throws Conflict CONFLICT the version differs
   */
  async remove(actor: Actor, id: number, deletion: CategoryDeletion = {}): Promise<CategoryRecord> {
    const [record] = await this.removeEach(actor, [id], THE_ID, deletion);
    return record;
  }

  /** Deletes several categories, all or none; see `remove`. */
  async removeAll(
    actor: Actor,
    ids: readonly number[],
    { cascade }: Pick<CategoryDeletion, 'cascade'> = {},
  ): Promise<CategoryRecord[]> {
    return this.removeEach(actor, eachOnce(ids, 'categories'), placesIn(ids), { cascade });
  }

  /** Runs a transaction that changes the tree; such transactions are serialised. */
  private changeTree<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.locks.run('tree', () => this.deps.store.transaction(work));
  }

  private save<R>(name: string | null | undefined, work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.names.guard(name?.trim() ?? '', () => this.changeTree(work));
  }

  /** @throws NotFound CATEGORY_NOT_FOUND for each missing category */
  private async requireEach(
    ids: readonly number[],
    place: PlaceOf,
    tx?: Tx,
  ): Promise<CategoryRecord[]> {
    const findings = new Findings();
    const records = (await this.byIds(ids, tx)).flatMap((record, index) => {
      if (!record) findings.add(categoryNotFound(ids[index], place(ids[index])));
      return record ?? [];
    });
    findings.refuse();
    return records;
  }

  private async removeEach(
    actor: Actor,
    ids: readonly number[],
    place: PlaceOf,
    { cascade = false, expectedVersion }: CategoryDeletion,
  ): Promise<CategoryRecord[]> {
    let removeWorkflows: Awaited<ReturnType<WorkflowDeletion['removal']>> | undefined;
    if (cascade) {
      await this.requireEach(ids, place);
      const { workflowIds } = await this.contentsOf(ids, place);
      removeWorkflows = await this.deps.workflows.removal(workflowIds);
    }
    return this.changeTree(async (tx) => {
      const records = await this.requireEach(ids, place, tx);
      for (const record of records) requireVersion('category', record, expectedVersion);
      if (removeWorkflows) {
        const { categoryIds, workflowIds } = await this.contentsOf(ids, place, tx);
        await removeWorkflows(actor, workflowIds, tx);
        await this.deleteRecords(actor, await this.requireEach(categoryIds, THE_ID, tx), tx);
      } else await this.deleteRecords(actor, records, tx);
      return records;
    });
  }

  /**
   * Returns the ids of all categories and workflows in these categories, at any depth.
   * @throws BadInput more than MOST_AT_ONCE
   */
  private async contentsOf(
    ids: readonly number[],
    place: PlaceOf,
    tx?: Tx,
  ): Promise<{ categoryIds: number[]; workflowIds: number[] }> {
    const categoryIds = await this.tree.subtree(ids, tx);
    const users = await this.deps.workflowReferences.using({ categoryIds }, tx);
    if (Math.max(categoryIds.length, users.length) > MOST_AT_ONCE)
      throw new BadInput(
        'BAD_REQUEST',
        `This would delete ${categoryIds.length} categories and ${users.length} workflows; the maximum is ${MOST_AT_ONCE} of each.`,
        { path: place(ids[0]), reason: 'LIST_TOO_LONG' },
      );
    return { categoryIds, workflowIds: users.map(({ workflowId }) => workflowId) };
  }

  private async deleteRecords(
    actor: Actor,
    records: readonly CategoryRecord[],
    tx: Tx,
  ): Promise<void> {
    const ids = records.map(({ _id }) => _id);
    const freed = await this.deps.workflows.uncategorize(ids, tx);
    await this.categories.updateMany(
      { parentId: { $in: ids }, _id: { $nin: ids } },
      { $set: { parentId: null }, $inc: { version: 1 } },
      tx,
    );
    await this.categories.deleteMany({ _id: { $in: ids } }, tx);
    for (const record of records) {
      const workflowIds = freed.get(record._id) ?? [];
      const before = { ...recorded(record), ...(workflowIds.length > 0 && { workflowIds }) };
      await this.deps.audit.record(actor, 'category.delete', target(record._id), before, null, tx);
    }
  }
}
