/** Error codes of scripts with their meanings. */
export const SCRIPT_ERROR_CODES = {
  SCRIPT_ENGINE_FAILED: 'The polyglot engine answered a call with a failure of its own.',
  SCRIPT_ENGINE_OFF: 'The script is in a language of the polyglot engine, which is switched off.',
  SCRIPT_ENGINE_UNREACHABLE: 'The polyglot engine does not answer, or went away.',
  SCRIPT_ERROR: 'The script does not parse, or threw; the message says what and in which line.',
  SCRIPT_LANGUAGE_UNKNOWN: 'The script is in a language that nothing here runs.',
  SCRIPT_OUT_OF_MEMORY: 'The script, with what it was given, took more memory than it may.',
  SCRIPT_RESULT_INVALID:
    'What the script left in `RESULT_VAR` is no JSON: nothing at all, a function, a promise, an object that holds itself.',
  SCRIPT_TIMEOUT: 'The script took longer than it may.',
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
