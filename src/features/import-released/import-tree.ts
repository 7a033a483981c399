import { AGGREGATOR_LENGTHS } from '../aggregators/aggregator.service';
import { MAX_NAME_LENGTH } from '../categories/category.service';
import { DUMP_FILES } from './dump.schema';
import type { DumpEntry } from './dump.schema';
import { FreeNames } from './free-names';
import { importRecord } from './import-context';
import type { ImportContext } from './import-context';
import type { Report } from './report';

/** Imports categories, parents first. Returns the imported ids. */
export async function importCategories(context: ImportContext): Promise<ReadonlySet<number>> {
  const { actor, tx, report, dump, services } = context;
  const names = new FreeNames(MAX_NAME_LENGTH);
  const imported = new Set<number>();
  for (const { category, parentId, index } of parentsFirst(dump.categories, report)) {
    const place = { file: DUMP_FILES.categories.file, index };
    const name = names.take(category.name, `Category ${category.id}`, place, report);
    const done = await importRecord(report, place, name, async () => {
      const parent = parentId !== null && imported.has(parentId) ? parentId : null;
      await services.categories.create(actor, { name, parentId: parent }, { id: category.id, tx });
    });
    if (!done) continue;
    imported.add(category.id);
  }
  return imported;
}

interface PlacedCategory {
  readonly category: DumpEntry<'categories'>;
  /** Null at the top level. */
  readonly parentId: number | null;
  readonly index: number;
}

/** Orders categories by depth. One whose parent is missing or its own descendant moves to the top. */
function parentsFirst(
  categories: readonly DumpEntry<'categories'>[],
  report: Report,
): PlacedCategory[] {
  const indexes = new Map(categories.map(({ id }, index) => [id, index]));
  const parents = new Map<number, number | null>();
  categories.forEach(({ id, name, parentCategory = null }, index) => {
    const place = { file: DUMP_FILES.categories.file, index };
    let parentId = parentCategory;
    if (parentId !== null && !indexes.has(parentId)) {
      report.assumed(
        place,
        `${name ?? id}: There is no category ${parentId}: it is at the top level.`,
      );
      parentId = null;
    }
    if (parentId !== null && ancestorsOf(parentId, parents).includes(id)) {
      report.assumed(place, `${name ?? id}: It is below itself: it is at the top level.`);
      parentId = null;
    }
    parents.set(id, parentId);
  });
  return categories
    .map((category, index) => ({ category, parentId: parents.get(category.id) ?? null, index }))
    .map((placed) => ({ placed, depth: ancestorsOf(placed.category.id, parents).length }))
    .sort((one, other) => one.depth - other.depth)
    .map(({ placed }) => placed);
}

/** The category and those above it. */
function ancestorsOf(id: number, parents: ReadonlyMap<number, number | null>): number[] {
  const ancestors: number[] = [];
  for (let at: number | null = id; at !== null; at = parents.get(at) ?? null) ancestors.push(at);
  return ancestors;
}

/** Imports data aggregators. Returns the imported ids. */
export async function importAggregators(context: ImportContext): Promise<ReadonlySet<number>> {
  const { actor, tx, report, dump, services } = context;
  const names = new FreeNames(AGGREGATOR_LENGTHS.name);
  const imported = new Set<number>();
  for (const [
    index,
    { id, name: originalName, args, script, active },
  ] of dump.aggregators.entries()) {
    const place = { file: DUMP_FILES.aggregators.file, index };
    const name = names.take(originalName, `Aggregator ${id}`, place, report);
    const done = await importRecord(report, place, name, () =>
      services.aggregators.create(
        actor,
        { name, args, script: script ?? '', active: active ?? true },
        { id, tx },
      ),
    );
    if (!done) continue;
    imported.add(id);
  }
  return imported;
}
