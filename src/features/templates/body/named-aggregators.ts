import { fold } from '../../../platform/text/fold';
import { idOf, isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

export interface AggregatorNames {
  /** Names of the existing aggregators, by id. */
  names(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Ids of the existing aggregators, by folded name. */
  idsOf(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Stored in addition to the id, because ids differ between installations. */
const NAME = 'dataAggregatorName';

/** Adds the names of the aggregators to the methods. */
export async function withAggregatorNames<D extends JsonObject>(
  document: D,
  aggregators: AggregatorNames,
): Promise<D> {
  const names = await aggregators.names(
    methodsOf(document).flatMap(({ dataAggregator }) => idOf(dataAggregator) ?? []),
  );
  return withMethods(document, (method) => {
    const name = names.get(idOf(method.dataAggregator) ?? 0);
    return name === undefined ? method : { ...method, [NAME]: name };
  });
}

/**
 * Resolves aggregators by name, or by id if there is no name (files of older versions). Missing
 * ones are set to null.
 */
export async function withAggregatorIds(
  document: JsonObject,
  aggregators: AggregatorNames,
): Promise<JsonObject> {
  const methods = methodsOf(document);
  const named = methods.flatMap((method) => nameOf(method) ?? []);
  const [ids, there] = await Promise.all([
    aggregators.idsOf(named),
    aggregators.names(methods.flatMap(({ dataAggregator }) => idOf(dataAggregator) ?? [])),
  ]);
  return withMethods(document, (method) => {
    const { [NAME]: _name, dataAggregator, ...rest } = method;
    if (dataAggregator === undefined) return rest;
    const [name, id] = [nameOf(method), idOf(dataAggregator)];
    if (name !== null) return { ...rest, dataAggregator: ids.get(fold(name)) ?? null };
    return { ...rest, dataAggregator: id !== null && there.has(id) ? id : null };
  });
}

const nameOf = ({ [NAME]: name }: JsonObject): string | null =>
  typeof name === 'string' && name !== '' ? name : null;

function methodsOf({ fromConnector }: JsonObject): JsonObject[] {
  const methods = isJsonObject(fromConnector) ? fromConnector.methods : null;
  return Array.isArray(methods) ? methods.filter(isJsonObject) : [];
}

function withMethods<D extends JsonObject>(
  document: D,
  change: (method: JsonObject) => JsonObject,
): D {
  const { fromConnector } = document;
  if (!isJsonObject(fromConnector) || !Array.isArray(fromConnector.methods)) return document;
  return {
    ...document,
    fromConnector: {
      ...fromConnector,
      methods: fromConnector.methods.map((method: unknown) =>
        isJsonObject(method) ? change(method) : method,
      ),
    },
  };
}
