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
