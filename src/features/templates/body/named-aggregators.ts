import { fold } from '../../../platform/text/fold';
import { idOf, isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

/** The aggregators of this installation. */
export interface AggregatorNames {
  /** Of those that are there, by id. */
  names(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Of those that are there, by folded name. */
  idsOf(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Beside the id, which means another aggregator elsewhere. */
const NAME = 'dataAggregatorName';

/** A workflow whose methods say what their aggregators are called. */
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
 * A workflow whose methods name aggregators of this installation: the one that is called the same, and where a method does not say how it is called, as in
 * files of older versions, the one with the same id. What is not there is left out.
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
