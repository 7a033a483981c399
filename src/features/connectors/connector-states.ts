import type { Core } from '../../platform/core';
import { LiveList } from '../../platform/store/lists/live-list';
import type { ConnectorCatalog } from './connector-catalog';
import { CONNECTOR_TOPIC } from './connector.model';
import type { ConnectorChanged, ConnectorRecord } from './connector.model';

declare module '../../platform/context' {
  interface Services {
    connectorStates: ConnectorStates;
  }
}

/** Connectors per message. */
const MOST = 100;

export class ConnectorStates {
  private readonly list: LiveList<ConnectorRecord>;

  constructor(
    { bus, store }: Pick<Core, 'bus' | 'store'>,
    { collection }: Pick<ConnectorCatalog, 'collection'>,
  ) {
    this.list = new LiveList<ConnectorRecord>({
      collection,
      isExclusive: store.isExclusive,
      listen: (add) => bus.subscribe<ConnectorChanged>(CONNECTOR_TOPIC, ({ id }) => add([id])),
      revision: ['version', 'lastCheck'],
      order: { field: 'titleKey', direction: 'asc' },
    });
  }

  /** Each connector that was checked or changed, until the signal aborts. */
  async *changes(signal: AbortSignal): AsyncGenerator<ConnectorRecord, void, undefined> {
    const within = (): Promise<Record<string, unknown>> => Promise.resolve({});
    for await (const { changed } of this.list.follow({ filter: {}, most: MOST, signal, within }))
      yield* changed;
  }
}
