import type { Store, Tx } from '../../platform/store/store';
import type { Dump } from './dump.schema';

/** Makes new ids greater than all imported ones, by the name of the sequence. */
export async function startSequences(store: Store, dump: Dump, tx: Tx): Promise<void> {
  const { schedules } = dump;
  const ids: Readonly<Record<string, readonly (number | null | undefined)[]>> = {
    groups: dump.roles.map(({ groupId }) => groupId),
    users: dump.users.map(({ userId }) => userId),
    categories: dump.categories.map(({ id }) => id),
    aggregators: dump.aggregators.map(({ id }) => id),
    aggregator_arguments: dump.aggregators.flatMap(({ args }) => args.map(({ id }) => id)),
    connectors: dump.connectors.map(({ connectorId }) => connectorId),
    workflows: dump.connections.map(({ connectionId }) => connectionId),
    message_templates: dump.messages.map(({ templateId }) => templateId),
    message_contents: dump.messages.flatMap(({ content }) =>
      content.map(({ contentId }) => contentId),
    ),
    schedules: schedules.map(({ schedulerId }) => schedulerId),
    webhooks: schedules.map(({ webhook }) => webhook?.webhookId),
    notifications: schedules.flatMap(({ notification }) =>
      (notification ?? []).map(({ notificationId }) => notificationId),
    ),
  };
  for (const [sequence, sequenceIds] of Object.entries(ids)) {
    const greatest = sequenceIds.reduce<number>((most, id) => Math.max(most, id ?? 0), 0);
    if (greatest > 0) await store.startSequence(sequence, greatest, tx);
  }
}
