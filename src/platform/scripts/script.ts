/** Error codes of scripts with their meanings. */
export const SCRIPT_ERROR_CODES = {
  SCRIPT_ENGINE_FAILED: 'The polyglot engine returned an internal error.',
  SCRIPT_ENGINE_OFF: 'The language of the script needs the polyglot engine, which is disabled.',
  SCRIPT_ENGINE_UNREACHABLE: 'The polyglot engine does not respond, or stopped.',
  SCRIPT_ERROR:
    'The script does not parse, or threw an error; the message has the reason and the line.',
  SCRIPT_LANGUAGE_UNKNOWN: 'The language of the script is not supported.',
  SCRIPT_OUT_OF_MEMORY: 'The script, with its input, needed more memory than allowed.',
  SCRIPT_RESULT_INVALID:
    'The value of `RESULT_VAR` cannot be written as JSON: it is undefined, a function, a promise, or a circular object.',
  SCRIPT_TIMEOUT: 'The script took longer than allowed.',
} as const;

export type ScriptErrorCode = keyof typeof SCRIPT_ERROR_CODES;

/** A failed script. The message is for users; it may contain input of the script. */
export class ScriptError extends Error {
  constructor(
    readonly code: ScriptErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'ScriptError';
  }
}

export const timedOut = (): ScriptError =>
  new ScriptError('SCRIPT_TIMEOUT', 'The script took longer than it may.');
export const outOfMemory = (): ScriptError =>
  new ScriptError(
    'SCRIPT_OUT_OF_MEMORY',
    'The script, with what it was given, took more memory than it may.',
  );
/** A script and its input, all as text that is evaluated only in the sandbox. */
export interface Script {
  readonly language: string;
  readonly code: string;
  /** Names and values; values as JSON. */
  readonly variables: readonly (readonly [name: string, json: string])[];
}

/** Runs the scripts of one run, one at a time. Each run has its own. */
export interface ScriptRunner extends Disposable {
  /** Resolves when scripts in these languages can start without delay, or cannot run at all. */
  ready(languages: readonly string[], signal: AbortSignal): Promise<void>;
  /**
   * Returns the value of `RESULT_VAR` as JSON.
   * @throws ScriptError
   * @throws the reason of the signal
   */
  evaluate(script: Script, signal: AbortSignal): Promise<string>;
}
