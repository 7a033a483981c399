import { firstCharacters, hasMoreCharacters } from '../../platform/text/characters';
import type { PreparedWorkflow } from '../workflows/saving/workflow-adoption.service';
import {
  aggregatorIdsOf,
  DESCRIPTION_LENGTH,
  idOf,
  isJsonObject,
  isTestTitle,
  TITLE_LENGTH,
} from '../workflows/workflow-document.service';
import type { JsonObject } from '../workflows/workflow-document.service';
import { DUMP_FILES } from './dump.schema';
import type { Dump, DumpEntry } from './dump.schema';
import { FreeNames } from './free-names';
import { attempt, importRecord } from './import-context';
import type { ImportContext, ImportingServices } from './import-context';
import type { Place, Report } from './report';
import { StoredDocuments } from './stored-documents';

/** A workflow that the transaction of the import writes. */
export interface ReadyWorkflow {
  readonly id: number;
  readonly place: Place;
  readonly prepared: PreparedWorkflow;
}

/** What the workflows of a dump may refer to. */
interface Referenced {
  readonly connectors: ReadonlySet<number>;
  readonly aggregators: ReadonlySet<number>;
  readonly categories: ReadonlySet<number>;
}

const SIDES = ['fromConnector', 'toConnector'] as const;

/**
 * Joins, converts and packs the workflows, before the transaction begins.
 * @param titles of the connectors, by position
 */
export async function prepareWorkflows(
  dump: Dump,
  titles: readonly string[],
  { workflowAdoption }: Pick<ImportingServices, 'workflowAdoption'>,
  report: Report,
): Promise<ReadyWorkflow[]> {
  const connectors = new Map(
    dump.connectors.map(({ connectorId, invoker }, at) => [
      connectorId,
      { title: titles[at] ?? '', invoker },
    ]),
  );
  const documents = new StoredDocuments(dump, connectors, report);
  const names = new FreeNames(TITLE_LENGTH);
  const ready: ReadyWorkflow[] = [];
  for (const [index, row] of dump.connections.entries()) {
    const place = { file: DUMP_FILES.connections.file, index };
    const joined = documents.join(row, place);
    const skipped = reasonToSkip(row, joined);
    if (skipped !== null) {
      report.leftOut(place, skipped);
      continue;
    }
    const { connectionId: id } = row;
    const title = names.take(row.title, `Untitled ${id}`, place, report);
    const document = {
      ...joined,
      title,
      description: descriptionOf(row, title, place, report),
      categoryId: categoryOf(row, title, dump, place, report),
    };
    const prepared = await attempt(report, place, title, () => workflowAdoption.prepare(document));
    if (prepared) ready.push({ id, place, prepared });
  }
  documents.reportUnused();
  return ready;
}

function reasonToSkip(
  { title, connectionId }: DumpEntry<'connections'>,
  joined: JsonObject,
): string | null {
  if (title != null && isTestTitle(title)) return `${title}: It is left over from a test.`;
  const hasSteps = SIDES.map((side) => joined[side])
    .filter(isJsonObject)
    .some(({ methods, operators }) =>
      [methods, operators].some((list) => Array.isArray(list) && list.length > 0),
    );
  return (title ?? '').trim() === '' && !hasSteps
    ? `The connection ${connectionId} has no title and no steps.`
    : null;
}

function descriptionOf(
  { description }: DumpEntry<'connections'>,
  title: string,
  place: Place,
  report: Report,
): string | null {
  if (description == null) return null;
  if (hasMoreCharacters(description, DESCRIPTION_LENGTH))
    report.changed(
      place,
      `${title}: The description has more than ${DESCRIPTION_LENGTH} characters: it was cut.`,
    );
  return firstCharacters(description, DESCRIPTION_LENGTH).toWellFormed();
}

function categoryOf(
  { categoryId }: DumpEntry<'connections'>,
  title: string,
  { categories }: Dump,
  place: Place,
  report: Report,
): number | null {
  if (categoryId == null || categoryId === 0) return null;
  if (categories.some(({ id }) => id === categoryId)) return categoryId;
  report.assumed(place, `${title}: There is no category ${categoryId}: it has none.`);
  return null;
}

/** Writes the prepared workflows. Returns their ids. */
export async function importWorkflows(
  { actor, tx, report, services }: ImportContext,
  ready: readonly ReadyWorkflow[],
  referenced: Referenced,
): Promise<ReadonlySet<number>> {
  const imported = new Set<number>();
  for (const { id, place, prepared } of ready) {
    const { title } = prepared.packed.document;
    const done = await importRecord(report, place, title, async () => {
      await services.workflowAdoption.adopt(actor, prepared, { id, tx });
    });
    if (!done) continue;
    imported.add(id);
    for (const problem of missingIn(prepared, referenced))
      report.assumed(place, `${title}: ${problem} Its validation reports this.`);
  }
  return imported;
}

function missingIn(
  { packed: { document, facts }, unfinished }: PreparedWorkflow,
  { connectors, aggregators, categories }: Referenced,
): string[] {
  const category = idOf(document.categoryId);
  return [
    ...facts.connectorIds
      .filter((id) => !connectors.has(id))
      .map((id) => `There is no connector ${id}.`),
    ...aggregatorIdsOf(document)
      .filter((id) => !aggregators.has(id))
      .map((id) => `There is no aggregator ${id}.`),
    ...(category !== null && !categories.has(category)
      ? [`There is no category ${category}.`]
      : []),
    ...unfinished.map(({ message }) => `${message}.`),
  ];
}
