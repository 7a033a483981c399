import type { Connection } from 'mongoose';
import type { CommandStartedEvent, CommandSucceededEvent } from 'mongodb';

/** Records the filters of answered queries and counts of a collection on a connection with `monitorCommands`. */
export function answeredQueries(
  connection: Connection,
  collection: string,
): readonly Record<string, any>[] {
  const filters = new Map<number, Record<string, any>>();
  const answered: Record<string, any>[] = [];
  connection
    .getClient()
    .on('commandStarted', ({ commandName, command, requestId }: CommandStartedEvent) => {
      if (commandName === 'find' && command.find === collection)
        filters.set(requestId, command.filter as Record<string, any>);
      // Documents are counted by an aggregation.
      if (
        commandName === 'aggregate' &&
        command.aggregate === collection &&
        command.pipeline[0].$match
      )
        filters.set(requestId, command.pipeline[0].$match as Record<string, any>);
    })
    .on('commandSucceeded', ({ requestId }: CommandSucceededEvent) => {
      const filter = filters.get(requestId);
      if (filter) answered.push(filter);
    });
  return answered;
}

const WRITES: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** Counts the commits on a connection with `monitorCommands`, by what is committed. */
export function commitsOf(connection: Connection): { readonly made: string[]; stop(): void } {
  const made: string[] = [];
  const client = connection.getClient();
  const count = ({ commandName, command }: CommandStartedEvent): void => {
    if (commandName === 'commitTransaction') made.push(commandName);
    else if (WRITES.has(commandName) && command.autocommit !== false)
      made.push(`${commandName} ${String(command[commandName])}`);
  };
  client.on('commandStarted', count);
  return { made, stop: () => void client.off('commandStarted', count) };
}
