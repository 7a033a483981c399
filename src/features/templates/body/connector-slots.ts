import { idOf, isJsonObject, namesRecord } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import type { ConnectorFacts } from '../../workflows/workflow.ports';

/**
 * An open connector of a template: when a workflow is created, the user chooses a connector of this
 * invoker.
 */
export interface ConnectorSlot {
  /** Null if the template does not name it. */
  readonly invoker: string | null;
  /** Title of the original connector; distinguishes slots of the same invoker. */
  readonly title: string;
}

/** Maximum characters; longer names are cut. */
const LONGEST = 255;
const NAMELESS = 'Connector';

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim().slice(0, LONGEST).toWellFormed()
    : null;
const invokerIn = ({ invoker }: JsonObject): string | null =>
  textOf(isJsonObject(invoker) ? invoker.name : invoker);

/** The methods of a container, which need not be valid. */
const methodsOf = (container: unknown): unknown[] =>
  isJsonObject(container) && Array.isArray(container.methods)
    ? (container.methods as unknown[])
    : [];

/**
 * True if neither a connector nor an invoker is named. An impossible connector id becomes a slot.
 */
const isHolder = (container: JsonObject): boolean =>
  !namesRecord(container.connectorId) && invokerIn(container) === null;

/** The ids of the connectors in a document. */
export function connectorIdsIn(document: JsonObject): number[] {
  const containers = [document.fromConnector, document.toConnector].filter(isJsonObject);
  const named = [
    ...containers,
    ...containers
      .flatMap(methodsOf)
      .filter(isJsonObject)
      .map(({ connector }) => connector)
      .filter(isJsonObject),
  ];
  return [...new Set(named.flatMap(({ connectorId }) => idOf(connectorId) ?? []))];
}

/** A document with slot numbers in place of connectors. */
export interface Numbered {
  readonly document: JsonObject;
  readonly slots: readonly ConnectorSlot[];
  /** Slot number by connector id. */
  readonly numberOf: ReadonlyMap<number, number>;
}

/**
 * Replaces connectors by slot numbers from 1, in a document of either shape; only the title and the
 * invoker name are kept. Equal titles of one invoker are the same connector; the two containers of
 * a 4.x document are always two.
 */
export function numberConnectors(
  document: JsonObject,
  known: ReadonlyMap<number, ConnectorFacts>,
): Numbered {
  const slots: ConnectorSlot[] = [];
  const [numbers, numberOf] = [new Map<string, number>(), new Map<number, number>()];

  const numbered = (connector: JsonObject, side: string): JsonObject => {
    const id = idOf(connector.connectorId);
    const facts = id === null ? undefined : known.get(id);
    const [invoker, title] = [
      facts?.invoker ?? invokerIn(connector),
      facts?.title ?? textOf(connector.title),
    ];
    const key = JSON.stringify(
      namesRecord(connector.connectorId) ? (id ?? connector.connectorId) : [side, invoker, title],
    );
    let number = numbers.get(key);
    if (number === undefined) {
      number = slots.push({
        invoker,
        title: freeTitle(slots, invoker, title ?? invoker ?? NAMELESS),
      });
      numbers.set(key, number);
    }
    if (id !== null) numberOf.set(id, number);
    return {
      connectorId: number,
      title: slots[number - 1]?.title,
      ...(invoker === null ? {} : { invoker: { name: invoker } }),
    };
  };

  const container = (value: unknown, side: string): unknown => {
    if (!isJsonObject(value)) return value;
    const {
      connectorId: _id,
      title: _title,
      invoker: _invoker,
      requestData: _data,
      icon: _icon,
      sslCert: _cert,
      timeout: _timeout,
      nodeId: _node,
      ...rest
    } = value;
    const own = isHolder(value) ? { connectorId: -1, title: 'DEFAULT' } : numbered(value, side);
    return {
      ...own,
      ...rest,
      ...(Array.isArray(value.methods)
        ? {
            methods: value.methods.map((method: unknown) =>
              isJsonObject(method) && isJsonObject(method.connector)
                ? {
                    ...method,
                    connector: isHolder(method.connector) ? null : numbered(method.connector, ''),
                  }
                : method,
            ),
          }
        : {}),
    };
  };

  const shown = {
    ...document,
    fromConnector: container(document.fromConnector, 'from'),
    toConnector: container(document.toConnector, 'to'),
  };
  return { document: shown, slots, numberOf };
}

function freeTitle(slots: readonly ConnectorSlot[], invoker: string | null, title: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? title : `${title} ${number}`;
    if (!slots.some((slot) => slot.invoker === invoker && slot.title === candidate))
      return candidate;
  }
}

/** Removes the slot numbers from a body that has the 5.0 shape; the titles stay. */
export function withoutNumbers(document: JsonObject): JsonObject {
  return withConnectors(document, (connector) => ({ ...connector, connectorId: null }));
}

/**
 * Replaces the connector of each method by the result of `of`. Old connector fields of the
 * container are removed.
 */
export function withConnectors(
  document: JsonObject,
  of: (connector: JsonObject) => JsonObject | null,
): JsonObject {
  const { fromConnector } = document;
  if (!isJsonObject(fromConnector)) return document;
  const { fromConnectorId: _from, toConnectorId: _to, ...container } = fromConnector;
  const methods = methodsOf(container).map((method) =>
    isJsonObject(method) && isJsonObject(method.connector)
      ? { ...method, connector: of(method.connector) }
      : method,
  );
  return { ...document, fromConnector: { ...container, methods } };
}

/** The index of the slot of a connector in a template body; -1 if there is none. */
export const slotOf = (slots: readonly ConnectorSlot[], connector: JsonObject): number =>
  slots.findIndex(
    ({ invoker, title }) => invoker === invokerIn(connector) && title === textOf(connector.title),
  );
