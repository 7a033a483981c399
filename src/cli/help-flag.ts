import type { Command } from 'commander';

const HELP_FLAGS: ReadonlySet<string> = new Set(['-h', '--help']);

/**
 * Rewrites `help a b` as `a b --help`. Unknown commands get no flag, because commander would print
 * the help of the group with exit code 0.
 */
export function withHelpAsFlag(program: Command, given: readonly string[]): readonly string[] {
  const at = placeOfHelp(program, given);
  const asked = at < 0 ? given : [...given.slice(0, at), ...given.slice(at + 1), '--help'];
  if (!asked.some((argument) => HELP_FLAGS.has(argument))) return given;
  const names = namesIn(asked);
  const unknown = unknownName(program, names);
  return unknown < 0 ? asked : names.slice(0, unknown + 1);
}

function namesIn(given: readonly string[]): string[] {
  const end = given.findIndex((argument) => argument.startsWith('-'));
  return given.slice(0, end < 0 ? given.length : end);
}

const commandNamed = (parent: Command, name: string): Command | undefined =>
  parent.commands.find((command) => command.name() === name);

/** Returns the index of `help` used as a command, or -1. */
function placeOfHelp(program: Command, given: readonly string[]): number {
  let group = program;
  for (const [index, name] of namesIn(given).entries()) {
    if (name === 'help' && group.commands.length > 0) return index;
    const next = commandNamed(group, name);
    if (!next) return -1;
    group = next;
  }
  return -1;
}

/** Returns the index of the first unknown command, or -1. */
function unknownName(program: Command, names: readonly string[]): number {
  let group = program;
  for (const [index, name] of names.entries()) {
    if (group.commands.length === 0) return -1;
    const next = commandNamed(group, name);
    if (!next) return index;
    group = next;
  }
  return -1;
}
