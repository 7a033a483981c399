import type { z } from 'zod';
import { commandActor } from '../access/actor';
import type { Actor } from '../access/actor';
import { DomainError } from '../errors/errors';

/** What an operator may ask of the service from its own machine: a name, the shape of what it takes, and a call of the services. */
export interface ControlCommand {
  readonly name: string;
  readonly input: z.ZodType;
  readonly run: (actor: Actor, input: unknown) => Promise<object>;
  /** What the command changes, for the log; null for nothing. Without secrets. */
  readonly targetOf: (input: unknown) => string | null;
}

/** A command as it is asked for. */
export interface ControlRequest {
  readonly command: string;
  readonly input: unknown;
  /** Who the operating system says asks. */
  readonly systemUser: string;
}

/** What came of it: what it answers, or sentences for a person. */
export type ControlAnswer =
  | { readonly done: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly done: false; readonly message: string; readonly problems: readonly string[] };

/** A command with the type of its input. */
export const controlCommand = <I>(
  name: string,
  input: z.ZodType<I>,
  run: (actor: Actor, input: I) => Promise<object>,
  targetOf: (input: I) => string | null = () => null,
): ControlCommand => ({
  name,
  input,
  run: (actor, given) => run(actor, given as I),
  targetOf: (given) => targetOf(given as I),
});

/** What a command is about, as the log names it. */
export function targetOfRequest(
  commands: readonly ControlCommand[],
  { command: name, input }: ControlRequest,
): string | null {
  const command = commands.find((candidate) => candidate.name === name);
  const parsed = command?.input.safeParse(input);
  return command && parsed?.success ? command.targetOf(parsed.data) : null;
}

/** Carries a command out, wherever it was asked for. Rejects with faults only. */
export async function perform(
  commands: readonly ControlCommand[],
  { command: name, input, systemUser }: ControlRequest,
  requestId: string,
): Promise<ControlAnswer> {
  const command = commands.find((candidate) => candidate.name === name);
  if (!command)
    return refused(
      `The service that runs does not know \`hypha ${name}\`: it is of another version.`,
    );
  const parsed = command.input.safeParse(input);
  if (!parsed.success)
    return refused(
      `\`hypha ${name}\` was asked for in a way that the service does not understand: it is of another version.`,
    );
  try {
    return {
      done: true,
      result: { ...(await command.run(commandActor(systemUser, requestId), parsed.data)) },
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return refused(
      error.message,
      error.problems.map(({ path, message }) => `${path.join('.')}: ${message}`),
    );
  }
}

const refused = (message: string, problems: readonly string[] = []): ControlAnswer => ({
  done: false,
  message,
  problems,
});
