import { firstCharacters, hasMoreCharacters } from '../../platform/text/characters';
import { CONNECTOR_LIMITS } from '../connectors/connector.service';
import { DUMP_FILES } from './dump.schema';
import type { Dump, DumpEntry } from './dump.schema';
import { FreeNames } from './free-names';
import { importRecord } from './import-context';
import type { ImportContext } from './import-context';
import { fileNameOf } from './pictures';
import type { Credentials } from './released-key';
import type { Place, Report } from './report';

/** Returns the titles of the connectors by their position; each is unique. */
export function titlesOf({ connectors }: Dump, report: Report): readonly string[] {
  const names = new FreeNames(CONNECTOR_LIMITS.title);
  return connectors.map(({ connectorId, title }, index) => {
    const place = { file: DUMP_FILES.connectors.file, index };
    return names.take(title, `Connector ${connectorId}`, place, report);
  });
}

/** Imports connectors with their credentials. Returns the imported ids. */
export async function importConnectors(
  context: ImportContext,
  titles: readonly string[],
  credentials: ReadonlyMap<number, Credentials>,
): Promise<ReadonlySet<number>> {
  const { actor, tx, report, dump, services, pictures } = context;
  const imported = new Set<number>();
  for (const [index, connector] of dump.connectors.entries()) {
    const place = { file: DUMP_FILES.connectors.file, index };
    const title = titles[index] ?? '';
    const { connectorId: id, invoker, sslCert } = connector;
    const done = await importRecord(report, place, title, async () => {
      const values = await fieldsOf(context, connector, credentials.get(id) ?? {}, place);
      const picture = pictures.get(fileNameOf(connector.icon) ?? '') ?? null;
      const description = cut(connector.description ?? '', place, report);
      const timeout = timeoutOf(connector, place, report);
      return services.connectors.create(
        actor,
        { title, description, invoker, sslCert: sslCert ?? false, timeout, requestData: values },
        { id, tx, picture },
      );
    });
    if (!done) continue;
    imported.add(id);
    if (sslCert) report.assumed(place, `${title}: Certificates are not checked, as before.`);
  }
  return imported;
}

/** The fields that the invoker declares: without computed ones, and with empty ones for missing. */
async function fieldsOf(
  { services, tx, report }: ImportContext,
  { invoker: name }: DumpEntry<'connectors'>,
  values: Credentials,
  place: Place,
): Promise<{ name: string; value: string }[]> {
  const declared = await services.invokerImport.requiredData(name, tx);
  const fieldsByName = new Map(declared.map((field) => [field.name, field]));
  const entries = Object.entries(values).filter(([field]) => {
    const visibility = fieldsByName.get(field)?.visibility;
    if (visibility === undefined)
      report.partLeftOut(place, `requestData.${field}: The invoker ${name} has no such field.`);
    // The invoker has the expression that computes it.
    return visibility === 'public' || visibility === 'protected';
  });
  const missing = declared.filter(
    ({ name: field, visibility, value }) =>
      visibility !== 'private' && value === '' && !Object.hasOwn(values, field),
  );
  for (const { name: field } of missing)
    report.assumed(place, `requestData.${field} is missing: it is empty.`);
  return [
    ...entries.map(([field, value]) => ({ name: field, value })),
    ...missing.map(({ name: field }) => ({ name: field, value: '' })),
  ];
}

function cut(description: string, place: Place, report: Report): string {
  const most = CONNECTOR_LIMITS.description;
  if (hasMoreCharacters(description, most))
    report.changed(place, `The description has more than ${most} characters: it was cut.`);
  return firstCharacters(description, most).toWellFormed();
}

function timeoutOf({ timeout }: DumpEntry<'connectors'>, place: Place, report: Report): number {
  const value = timeout ?? 0;
  if (Number.isInteger(value) && value >= 0 && value <= CONNECTOR_LIMITS.timeout) return value;
  report.assumed(place, `The timeout ${value} is not valid: the configured one is used.`);
  return 0;
}
