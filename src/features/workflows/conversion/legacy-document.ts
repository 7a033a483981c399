import type { JsonObject } from '../json';
import { isJsonObject } from '../json';

/** Is this the shape of the 4.x line: a second container with methods of its own? */
export const isLegacyDocument = (document: JsonObject): boolean =>
  isJsonObject(document.toConnector) && isJsonObject(document.fromConnector);

/**
 * The 5.0 shape of a document with two containers: each method is stamped with its connector, indexes of the former from side get
 * the prefix `0_`, those of the to side `1_`, and everything stands in one container. `fieldBinding` stays as it is (colours
 * identify methods on both sides), and so do the layouts of both sides: that of the to side under a name of its own. Spec 9.2.
 */
export function fromLegacyDocument(document: JsonObject): JsonObject {
  const { fromConnector, toConnector } = document;
  if (!isJsonObject(fromConnector) || !isJsonObject(toConnector)) return document;
  return {
    ...document,
    fromConnector: {
      connectorId: -1,
      title: 'DEFAULT',
      ...layoutsOf(fromConnector, toConnector),
      methods: [...methodsOf(fromConnector, '0'), ...methodsOf(toConnector, '1')],
      operators: [...prefixed(fromConnector.operators, '0'), ...prefixed(toConnector.operators, '1')],
    },
    toConnector: null,
  };
}

const layoutsOf = (from: JsonObject, to: JsonObject): JsonObject => ({
  ...('businessLayout' in from ? { businessLayout: from.businessLayout } : {}),
  ...('businessLayout' in to ? { toBusinessLayout: to.businessLayout } : {}),
});

/** A list with anything but objects in it is passed on, so that it is refused with its own words later. */
const listOf = (value: unknown): unknown[] => (value == null ? [] : Array.isArray(value) ? value as unknown[] : [value]);

function prefixed(steps: unknown, side: '0' | '1'): unknown[] {
  return listOf(steps).map((step) => (isJsonObject(step) && typeof step.index === 'string' ? { ...step, index: `${side}_${step.index}` } : step));
}

function methodsOf(container: JsonObject, side: '0' | '1'): unknown[] {
  const { methods, operators: _operators, businessLayout: _layout, ...connector } = container;
  return prefixed(methods, side).map((method) => (isJsonObject(method)
    ? { ...method, connector: method.connector ?? connector, methodType: method.methodType ?? null }
    : method));
}
