import { idOf, isJsonObject } from '../workflows/workflow-document.service';
import type { JsonObject } from '../workflows/workflow-document.service';
import { withReferences } from './binding-markers';
import { DUMP_FILES } from './dump.schema';
import type { Dump, DumpEntry } from './dump.schema';
import type { Place, Report } from './report';

/** Fields of the database that mean nothing to a workflow. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['_id', '_class', 'id', 'nodeId', 'enhancementId']);

type Parts = ReadonlyMap<string, JsonObject>;

/** What a container says about its connector. */
interface ConnectorName {
  readonly title: string;
  readonly invoker: string;
}

/** Joins the parts of workflows that the released line stores apart, by their ids. */
export class StoredDocuments {
  private readonly documents: ReadonlyMap<number, JsonObject>;
  private readonly methods: Parts;
  private readonly operators: Parts;
  private readonly bindings: Parts;
  private readonly enhancements: ReadonlyMap<number, JsonObject>;
  /** Ids of the joined workflows, and their parts. */
  private readonly joined = new Set<number>();
  private readonly used = new Set<JsonObject>();

  /** @param connectors by id */
  constructor(
    dump: Dump,
    private readonly connectors: ReadonlyMap<number, ConnectorName>,
    private readonly report: Report,
  ) {
    this.documents = new Map(dump.storedConnections.map((each) => [each.connectionId, each]));
    this.methods = byPartId(dump.methods);
    this.operators = byPartId(dump.operators);
    this.bindings = byPartId(dump.fieldBindings);
    this.enhancements = new Map(dump.enhancements.map((each) => [each.enhanceId, each]));
  }

  /** Reports what belongs to no workflow that was joined. */
  reportUnused(): void {
    [...this.documents.keys()].forEach((id, index) => {
      if (!this.joined.has(id))
        this.report.leftOut(
          { file: DUMP_FILES.storedConnections.file, index },
          `${DUMP_FILES.connections.file} has no entry with the connectionId ${id}.`,
        );
    });
    for (const [{ file }, parts] of [
      [DUMP_FILES.methods, this.methods],
      [DUMP_FILES.operators, this.operators],
      [DUMP_FILES.fieldBindings, this.bindings],
      [DUMP_FILES.enhancements, this.enhancements],
    ] as const) {
      const unused = [...parts.values()].filter((part) => !this.used.has(part)).length;
      if (unused > 0)
        this.report.partLeftOut(
          { file, index: null },
          `Entries that belong to no workflow: ${unused}.`,
        );
    }
  }

  /** Returns a workflow as clients of the 4.x line save it. */
  join(row: DumpEntry<'connections'>, place: Place): JsonObject {
    this.joined.add(row.connectionId);
    const stored = this.documents.get(row.connectionId) ?? {};
    const { icon: _icon, ...fields } = { ...withoutOwn(stored), ...withoutOwn(row) };
    const bindings = this.partsOf(
      row.fieldBinding ?? stored.fieldBinding,
      this.bindings,
      place,
      'field binding',
    );
    const byId = byPartId(bindings);
    return {
      ...fields,
      fromConnector: this.container(row.fromConnector, stored.fromConnector, byId, place),
      toConnector: this.container(row.toConnector, stored.toConnector, byId, place),
      fieldBinding: bindings.map((binding) => this.binding(binding, place)),
    };
  }

  /** A container of a row is the id of its connector; one of a document has the steps. */
  private container(
    rowValue: unknown,
    documentValue: unknown,
    bindings: Parts,
    place: Place,
  ): JsonObject | null {
    const [ofRow, ofDocument] = [rowValue, documentValue].map((each) =>
      isJsonObject(each) ? each : {},
    );
    const { methods, operators, ...fields } = { ...ofDocument, ...ofRow };
    // The container of the 5.0 shape, -1, is kept.
    const connectorId =
      idOf(rowValue) ?? ofRow.connectorId ?? ofDocument.connectorId ?? idOf(documentValue) ?? null;
    const hasSteps = [methods, operators].some((list) => Array.isArray(list) && list.length > 0);
    if (connectorId === null && !hasSteps) return null;
    const connector = this.connectors.get(idOf(connectorId) ?? 0);
    const joined = this.partsOf(methods, this.methods, place, 'method').map((method) =>
      this.method(method, bindings, place),
    );
    return {
      ...withoutOwn(fields),
      connectorId,
      ...(connector && { title: connector.title, invoker: { name: connector.invoker } }),
      methods: joined,
      operators: this.partsOf(operators, this.operators, place, 'operator').map(withNodeId),
    };
  }

  private method(method: JsonObject, bindings: Parts, place: Place): JsonObject {
    const unknown = (id: string): void =>
      this.report.assumed(
        place,
        `The method ${String(method.name)} names the field binding ${id}, which does not exist or has no source: the text stays as it is.`,
      );
    return {
      ...withNodeId(method),
      request: withReferences(method.request ?? null, bindings, unknown),
      response: withReferences(method.response ?? null, bindings, unknown),
    };
  }

  private binding(binding: JsonObject, place: Place): JsonObject {
    const id = idOf(binding.enhancementId);
    const { enhancement } = binding;
    const source = isJsonObject(enhancement) ? enhancement : this.enhancements.get(id ?? 0);
    if (source) this.used.add(source);
    if (id !== null && !source)
      this.report.assumed(
        place,
        `A field binding names the enhancement ${id}, which does not exist: it copies its source.`,
      );
    return { ...withNodeId(binding), enhancement: source ? enhancementOf(source) : null };
  }

  /** Entries are ids of parts, or the parts. */
  private partsOf(list: unknown, parts: Parts, place: Place, kind: string): JsonObject[] {
    if (list === null || list === undefined) return [];
    if (!Array.isArray(list)) {
      this.report.partLeftOut(place, `The list of ${kind}s is no array.`);
      return [];
    }
    return (list as unknown[]).flatMap((entry): JsonObject[] => {
      if (isJsonObject(entry)) return [entry];
      const part = typeof entry === 'string' ? parts.get(entry.toLowerCase()) : undefined;
      if (!part) {
        this.report.partLeftOut(place, `There is no ${kind} with the id ${JSON.stringify(entry)}.`);
        return [];
      }
      this.used.add(part);
      return [part];
    });
  }
}

const partIdIn = ({ nodeId, id, _id }: JsonObject): string | null => {
  const partId = [nodeId, id, _id].find((each) => typeof each === 'string' && each !== '');
  return typeof partId === 'string' ? partId.toLowerCase() : null;
};

const byPartId = (parts: readonly JsonObject[]): Parts =>
  new Map(
    parts.flatMap((part): [string, JsonObject][] => {
      const id = partIdIn(part);
      return id === null ? [] : [[id, part]];
    }),
  );

const withoutOwn = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_FIELDS.has(name)));

const withNodeId = (part: JsonObject): JsonObject => ({
  nodeId: partIdIn(part),
  ...withoutOwn(part),
});

/** The names that clients save, from these or those of the table. */
function enhancementOf(fields: JsonObject): JsonObject {
  const { enhanceId, name, title, expertCode, script, expertVar, args } = fields;
  return {
    enhanceId: enhanceId ?? null,
    name: name ?? title ?? '',
    description: fields.description ?? '',
    language: fields.language ?? 'js',
    expertCode: expertCode ?? script ?? '',
    expertVar: expertVar ?? args ?? '',
    simpleCode: fields.simpleCode ?? null,
  };
}
