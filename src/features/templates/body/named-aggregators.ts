import { fold } from '../../../platform/text/fold';
import type { AggregatorCatalog } from '../../aggregators/aggregator-catalog';
import { idOf } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { methodsIn, withMethods } from './connector-slots';

/** Stored in addition to the id, because ids differ between installations. */
const NAME = 'dataAggregatorName';

const aggregatorIds = ({ fromConnector }: JsonObject): number[] =>
  methodsIn(fromConnector).flatMap(({ dataAggregator }) => idOf(dataAggregator) ?? []);

const nameOf = ({ [NAME]: name }: JsonObject): string | null =>
  typeof name === 'string' && name !== '' ? name : null;

/** Adds the names of the aggregators to the methods. */
export async function withAggregatorNames<D extends JsonObject>(
  document: D,
  aggregators: AggregatorCatalog,
): Promise<D> {
  const names = await aggregators.names(aggregatorIds(document));
  return withMethods(document, (method) => {
    const name = names.get(idOf(method.dataAggregator) ?? 0);
    return name === undefined ? method : { ...method, [NAME]: name };
  });
}

/**
 * Resolves aggregators by name, or by id if there is no name (files of earlier versions). Missing
 * ones are set to null.
 */
export async function withAggregatorIds(
  document: JsonObject,
  aggregators: AggregatorCatalog,
): Promise<JsonObject> {
  const names = methodsIn(document.fromConnector).flatMap((method) => nameOf(method) ?? []);
  const [ids, existingNames] = await Promise.all([
    aggregators.idsOf(names),
    aggregators.names(aggregatorIds(document)),
  ]);
  return withMethods(document, (method) => {
    const { [NAME]: _name, dataAggregator, ...rest } = method;
    if (dataAggregator === undefined) return rest;
    const [name, id] = [nameOf(method), idOf(dataAggregator)];
    if (name !== null) return { ...rest, dataAggregator: ids.get(fold(name)) ?? null };
    return { ...rest, dataAggregator: id !== null && existingNames.has(id) ? id : null };
  });
}
