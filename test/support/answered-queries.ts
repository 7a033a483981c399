import type { Connection } from 'mongoose';
import type { CommandStartedEvent, CommandSucceededEvent } from 'mongodb';

/** Records the filters of answered queries and counts of a collection on a connection with `monitorCommands`. */
export function answeredQueries(
  connection: Connection,
  collection: string,
): readonly Record<string, any>[] {
  const asked = new Map<number, Record<string, any>>();
  const answered: Record<string, any>[] = [];
  connection
    .getClient()
    .on('commandStarted', ({ commandName, command, requestId }: CommandStartedEvent) => {
      if (commandName === 'find' && command.find === collection)
        asked.set(requestId, command.filter as Record<string, any>);
      // Documents are counted by an aggregation.
      if (
        commandName === 'aggregate' &&
        command.aggregate === collection &&
        command.pipeline[0].$match
      )
        asked.set(requestId, command.pipeline[0].$match as Record<string, any>);
    })
    .on('commandSucceeded', ({ requestId }: CommandSucceededEvent) => {
      const filter = asked.get(requestId);
      if (filter) answered.push(filter);
    });
  return answered;
}
