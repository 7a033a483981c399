/** A script and what it works with: all of it text, nothing of it is evaluated anywhere but where the script runs. */
export interface Script {
  readonly language: string;
  readonly code: string;
  /** Names and values, the values as JSON. */
  readonly variables: readonly (readonly [name: string, json: string])[];
}

/** Runs the scripts of one run, one after the other. Nothing of one run is left for the next. */
export interface ScriptRunner extends Disposable {
  /** Resolves when scripts in these languages can be evaluated at once, or cannot be at all. Never rejects. */
  ready(languages: readonly string[], signal: AbortSignal): Promise<void>;
  /**
   * What the script leaves in `RESULT_VAR`, as JSON.
   * @throws ScriptError
   * @throws the reason of the signal
   */
  evaluate(script: Script, signal: AbortSignal): Promise<string>;
}
