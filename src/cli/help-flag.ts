import type { Command } from 'commander';

const HELP_FLAGS: ReadonlySet<string> = new Set(['-h', '--help']);

/**
 * Rewrites `help a b` as `a b --help`. Unknown commands get no flag, because commander would print
 * the help of the group with exit code 0.
 */
export function withHelpAsFlag(program: Command, args: readonly string[]): readonly string[] {
  const at = placeOfHelp(program, args);
  const argsWithFlag = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 1), '--help'];
  if (!argsWithFlag.some((argument) => HELP_FLAGS.has(argument))) return args;
  const names = namesIn(argsWithFlag);
  const unknown = unknownName(program, names);
  return unknown < 0 ? argsWithFlag : names.slice(0, unknown + 1);
}

function namesIn(args: readonly string[]): string[] {
  const end = args.findIndex((argument) => argument.startsWith('-'));
  return args.slice(0, end < 0 ? args.length : end);
}

const commandNamed = (parent: Command, name: string): Command | undefined =>
  parent.commands.find((command) => command.name() === name);

/** Returns the index of `help` used as a command, or -1. */
function placeOfHelp(program: Command, args: readonly string[]): number {
  let group = program;
  for (const [index, name] of namesIn(args).entries()) {
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
