import { mapJson } from '../../../platform/json/map-json';
import { fold } from '../../../platform/text/fold';
import {
  idOf,
  isJsonObject,
  namesRecord,
  notedConnectors,
  withNotedConnectors,
} from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import type { ConnectorFacts } from '../../workflows/references/referenced-records';

/**
 * An open connector of a template: when a workflow is created, the user chooses a connector of this
 * invoker. Slots are numbered from 1.
 */
export interface ConnectorSlot {
  /** Null if the template does not name it. */
  readonly invoker: string | null;
  /** Title of the original connector; distinguishes slots of the same invoker. */
  readonly title: string;
}

export interface ChosenConnector extends ConnectorFacts {
  readonly id: number;
}

/** The chosen connectors, by slot number. */
export type ChosenConnectors = ReadonlyMap<number, ChosenConnector>;

/** Maximum characters of titles and invokers; longer ones are cut. */
const MAX_LENGTH = 255;
const DEFAULT_TITLE = 'Connector';

/** Fields of a container that belong to its connector, not to the workflow. */
const OF_CONNECTOR: ReadonlySet<string> = new Set([
  'requestData',
  'icon',
  'sslCert',
  'timeout',
  'nodeId',
]);

/** `{#12.url}`: a credential of the connector with this id. */
const CREDENTIAL = /\{#(\d{1,10})(?=\.)/g;
/** `{#slot-1.url}`: a credential of a connector that is not chosen yet. */
const OPEN_CREDENTIAL = /\{#slot-(\d{1,6})(?=\.)/g;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim().slice(0, MAX_LENGTH).toWellFormed()
    : null;
const invokerIn = ({ invoker }: JsonObject): string | null =>
  textOf(isJsonObject(invoker) ? invoker.name : invoker);

/** Returns the methods of a container, which need not be valid. */
export const methodsIn = (container: unknown): JsonObject[] =>
  isJsonObject(container) && Array.isArray(container.methods)
    ? container.methods.filter(isJsonObject)
    : [];

const mapMethods = (container: JsonObject, change: (method: JsonObject) => JsonObject) =>
  Array.isArray(container.methods)
    ? {
        ...container,
        methods: container.methods.map((method: unknown) =>
          isJsonObject(method) ? change(method) : method,
        ),
      }
    : container;

/** Changes the methods of a document of the 5.0 shape. */
export const withMethods = <D extends JsonObject>(
  document: D,
  change: (method: JsonObject) => JsonObject,
): D =>
  isJsonObject(document.fromConnector)
    ? { ...document, fromConnector: mapMethods(document.fromConnector, change) }
    : document;

/** Returns the ids of the connectors in a document of either shape. */
export function connectorIdsIn(document: JsonObject): number[] {
  const { fromConnector, toConnector } = document;
  const containers = [fromConnector, toConnector].filter(isJsonObject);
  const connectors = containers.flatMap(methodsIn).map(({ connector }) => connector);
  const ids = [
    ...containers,
    ...connectors.filter(isJsonObject),
    ...notedConnectors(document),
  ].flatMap(({ connectorId }) => idOf(connectorId) ?? []);
  return [...new Set(ids)];
}

/**
 * Replaces connectors by slot numbers, in a document of either shape; only the title and the
 * invoker name are kept. Equal titles of one invoker are the same connector; the two containers of
 * a 4.x document are always two.
 */
export class ConnectorNumbering {
  readonly slots: ConnectorSlot[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly numberById = new Map<number, number>();

  /** @param known current titles and invokers, by connector id */
  constructor(private readonly known: ReadonlyMap<number, ConnectorFacts>) {}

  numbered(document: JsonObject): JsonObject {
    const numbered = {
      ...document,
      fromConnector: this.container(document.fromConnector, 'from'),
      toConnector: this.container(document.toConnector, 'to'),
    };
    return withNotedConnectors(
      numbered,
      (connector) => this.numberedConnector(connector, '') ?? connector,
      OF_CONNECTOR,
    );
  }

  /** Replaces connector ids in credential references by slots. */
  openCredentials(text: string): string {
    return text.includes('{#')
      ? text.replace(
          CREDENTIAL,
          (_match, id: string) => `{#slot-${this.numberById.get(Number(id)) ?? 0}`,
        )
      : text;
  }

  private container(value: unknown, side: string): unknown {
    if (!isJsonObject(value)) return value;
    const { connectorId: _id, title: _title, invoker: _invoker, ...rest } = value;
    const others = Object.entries(rest).filter(([name]) => !OF_CONNECTOR.has(name));
    const own = this.numberedConnector(value, side) ?? { connectorId: -1, title: 'DEFAULT' };
    return mapMethods({ ...own, ...Object.fromEntries(others) }, (method) =>
      isJsonObject(method.connector)
        ? { ...method, connector: this.numberedConnector(method.connector, '') }
        : method,
    );
  }

  /** Returns null if neither a connector nor an invoker is named. */
  private numberedConnector(connector: JsonObject, side: string): JsonObject | null {
    const { connectorId } = connector;
    // An impossible connector id becomes a slot.
    if (!namesRecord(connectorId) && invokerIn(connector) === null) return null;
    const id = idOf(connectorId);
    const facts = id === null ? undefined : this.known.get(id);
    const invoker = facts?.invoker ?? invokerIn(connector);
    const title = facts?.title ?? textOf(connector.title);
    const key = JSON.stringify(
      namesRecord(connectorId) ? (id ?? connectorId) : [side, invoker, title],
    );
    const number = this.numbers.get(key) ?? this.addSlot(invoker, title ?? invoker);
    this.numbers.set(key, number);
    if (id !== null) this.numberById.set(id, number);
    return {
      connectorId: number,
      title: this.slots[number - 1].title,
      ...(invoker !== null && { invoker: { name: invoker } }),
    };
  }

  private addSlot(invoker: string | null, preferred: string | null): number {
    const base = preferred ?? DEFAULT_TITLE;
    const isTaken = (title: string): boolean =>
      this.slots.some((slot) => slot.invoker === invoker && slot.title === title);
    let title = base;
    for (let number = 2; isTaken(title); number += 1) title = `${base} ${number}`;
    return this.slots.push({ invoker, title });
  }
}

/** Removes the slot numbers from a document of the 5.0 shape; the titles stay. */
export const withoutNumbers = (document: JsonObject): JsonObject =>
  withConnectors(document, (connector) => ({ ...connector, connectorId: null }));

/** Assigns two connectors to the slots; null if the template has other invokers. */
export function assignSlots(
  slots: readonly ConnectorSlot[],
  from: ChosenConnector,
  to: ChosenConnector,
): ChosenConnectors | null {
  if (slots.length === 0 || slots.length > 2) return null;
  const required = slots.map(({ invoker }) => invoker && fold(invoker));
  const chosen = [fold(from.invoker), fold(to.invoker)];
  const isMatch =
    chosen.every((invoker) => required.includes(invoker)) &&
    required.every((invoker) => invoker !== null && chosen.includes(invoker));
  if (!isMatch) return null;
  const isFromFirst = required[0] === chosen[0];
  return new Map(slots.map((_, at) => [at + 1, (at === 0) === isFromFirst ? from : to]));
}

/** Fills the slots of a template body with the chosen connectors; other slots stay open. */
export function fillSlots(
  body: JsonObject,
  slots: readonly ConnectorSlot[],
  chosen: ChosenConnectors,
): JsonObject {
  const document = withConnectors(body, (connector) => {
    const slot = slots.findIndex(
      ({ invoker, title }) => invoker === invokerIn(connector) && title === textOf(connector.title),
    );
    const facts = chosen.get(slot + 1);
    return facts
      ? { connectorId: facts.id, title: facts.title, invoker: { name: facts.invoker } }
      : connector;
  });
  const text = (value: string): string =>
    value.includes('{#slot-')
      ? value.replace(OPEN_CREDENTIAL, (match, number: string) => {
          const id = chosen.get(Number(number))?.id;
          return id === undefined ? match : `{#${id}`;
        })
      : value;
  return mapJson(document, { text }) as JsonObject;
}

/**
 * Replaces the connector of each method by the result of `change`. Connector fields of the
 * container, as earlier versions stored them, are removed.
 */
function withConnectors(
  document: JsonObject,
  change: (connector: JsonObject) => JsonObject,
): JsonObject {
  const { fromConnector } = document;
  if (!isJsonObject(fromConnector)) return document;
  const { fromConnectorId: _from, toConnectorId: _to, ...container } = fromConnector;
  const changed = withNotedConnectors({ ...document, fromConnector: container }, change);
  return withMethods(changed, (method) =>
    isJsonObject(method.connector) ? { ...method, connector: change(method.connector) } : method,
  );
}
