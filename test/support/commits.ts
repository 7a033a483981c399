import type { Connection } from 'mongoose';
import type { CommandStartedEvent } from 'mongodb';

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
