import { commandActor } from '../access/actor';
import type { Actor } from '../access/actor';
import { DomainError } from '../errors/errors';
import { z } from 'zod';
import { VERSION } from '../version';

export const STATUS_COMMAND = 'status';

export const createStatusCommand = (url: string): ControlCommand =>
  controlCommand(STATUS_COMMAND, z.object({}), () =>
    Promise.resolve({ pid: process.pid, version: VERSION, url }),
  );

/** Reports the progress of a long command. */
export type Report = (progress: CommandProgress) => void;

export interface CommandProgress {
  readonly done: number;
  readonly total: number;
}

/** A command that an operator can send to the service from the same machine. */
export interface ControlCommand {
  readonly name: string;
  readonly input: z.ZodType;
  readonly run: (actor: Actor, input: unknown, report: Report) => Promise<object>;
  /** What the command changes, for the log, without secrets; null if it changes nothing. */
  readonly targetOf: (input: unknown) => string | null;
}

export interface ControlRequest {
  readonly command: string;
  readonly input: unknown;
  /** User name according to the operating system. */
  readonly systemUser: string;
}

/** Result of a command, or error messages for the operator. */
export type ControlAnswer =
  | { readonly done: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly done: false; readonly message: string; readonly problems: readonly string[] };

/** Defines a command; infers the type of its input from the schema. */
export const controlCommand = <I>(
  name: string,
  input: z.ZodType<I>,
  run: (actor: Actor, input: I, report: Report) => Promise<object>,
  targetOf: (input: I) => string | null = () => null,
): ControlCommand => ({
  name,
  input,
  run: (actor, input, report) => run(actor, input as I, report),
  targetOf: (input) => targetOf(input as I),
});

/** What the command changes, as written to the log. */
export function targetOfRequest(
  commands: readonly ControlCommand[],
  { command: name, input }: ControlRequest,
): string | null {
  const command = commands.find((candidate) => candidate.name === name);
  const parsed = command?.input.safeParse(input);
  return command && parsed?.success ? command.targetOf(parsed.data) : null;
}

/** Executes a command. Rejects on internal errors only. */
export async function perform(
  commands: readonly ControlCommand[],
  { command: name, input, systemUser }: ControlRequest,
  requestId: string,
  report: Report = () => undefined,
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
    const actor = commandActor(systemUser, requestId);
    return { done: true, result: { ...(await command.run(actor, parsed.data, report)) } };
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
