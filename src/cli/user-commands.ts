import { ConfigError } from '../config/load';
import { EX_CONFIG, loadProcessConfig } from '../config/process-config';
import { operate } from './operate';
import { EXIT, print, refuse, sentenceOf, tell } from './output';

/** Longer than any password may be. */
const LONGEST_LINE = 4_096;

export interface NewUserAsked {
  readonly email: string;
  readonly group: string;
  readonly name?: string;
  readonly surname?: string;
  readonly stdin: boolean;
}

/** `hypha user create`. The exit code. */
export const createUser = ({ stdin, email, group, name, surname }: NewUserAsked): Promise<number> =>
  userCommand('user create', 'The user was not created', stdin, { email, group, name, surname }, (made) => `created: ${String(made.email)} (id ${String(made.id)}, group ${String(made.group)})`);

/** `hypha user reset-password`. The exit code. */
export const resetPassword = ({ email, stdin }: { readonly email: string; readonly stdin: boolean }): Promise<number> =>
  userCommand('user reset-password', 'The password was not changed', stdin, { email }, ({ id, email: stored }) => `changed: the password of ${String(stored)} (id ${String(id)}); all sessions of the user were ended`);

async function userCommand(command: string, failure: string, stdin: boolean, input: object, inWords: (result: Readonly<Record<string, unknown>>) => string): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    const answer = await operate(config, command, { ...input, password: stdin ? await firstLine() : null });
    if (!answer.done) return refuse(EXIT.failed, [`${failure}: ${answer.message}`, ...answer.problems.map((problem) => `  ${problem}`)].join('\n'));
    print(inWords(answer.result));
    if (typeof answer.result.password === 'string') print(`password: ${answer.result.password}`);
    return EXIT.well;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EX_CONFIG, error.message);
    return refuse(EXIT.failed, `${failure}: ${sentenceOf(error)}`);
  }
}

/** The first line of stdin, without its end. @throws Error it is too long or no text */
async function firstLine(): Promise<string> {
  if (process.stdin.isTTY) tell('The password, on one line; it is shown as you type:');
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (chunk.includes('\n') || Buffer.concat(chunks).length > LONGEST_LINE) break;
  }
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\n');
  const line = end < 0 ? all : all.subarray(0, end);
  if (line.length > LONGEST_LINE) throw new Error('the line is too long for a password.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r$/, '');
  } catch (error) {
    throw new Error('the line is no text in UTF-8.', { cause: error });
  }
}
