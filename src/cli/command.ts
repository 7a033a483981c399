import type { Command } from 'commander';
import { printToStderr } from './output';

/**
 * Error messages are cut to this length, and control characters are replaced: they could move the
 * cursor.
 */
const MAX_MESSAGE_LENGTH = 600;
const readable = (message: string): string => {
  const cut =
    message.length > MAX_MESSAGE_LENGTH
      ? `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…\n`
      : message;
  return cut.replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');
};

/** Adds a command below `parent`. */
export function sub(parent: Command, name: string, description: string): Command {
  return command(parent.command(name), description);
}

/** Settings that all commands share. */
export function command(command: Command, description: string): Command {
  return command
    .description(description)
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .showSuggestionAfterError()
    .showHelpAfterError(`Run \`${pathOf(command)} --help\` for the available commands and options.`)
    .exitOverride()
    .configureOutput({ outputError: (message) => printToStderr(readable(message).trimEnd()) });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
