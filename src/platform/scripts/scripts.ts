import { Sandbox } from './sandbox';
import type { SandboxLimits } from './sandbox-messages';
import type { ScriptRunner } from './script';
import { ScriptError } from './script-error';

/** What runs the scripts of a process. */
export interface Scripts {
  /** For one run. */
  open(): ScriptRunner;
}

/** A script that names no language is JavaScript, as all of them once were. */
const JAVASCRIPT: ReadonlySet<string> = new Set(['', 'js', 'javascript']);
const OF_THE_ENGINE: ReadonlySet<string> = new Set(['python', 'ruby']);

/** What scripts may take, whatever they are written in. */
export type ScriptsConfig = SandboxLimits;

/**
 * JavaScript stays in the sandbox, wherever the other languages are evaluated.
 * @param program the compiled thread of a sandbox, where it is not beside this file
 */
export function createScripts(config: ScriptsConfig, program?: string): Scripts {
  return {
    open() {
      const sandbox = new Sandbox({ ...config, program });
      return {
        async evaluate(script, signal) {
          const language = script.language.trim().toLowerCase();
          if (JAVASCRIPT.has(language)) return sandbox.evaluate(script, signal);
          if (OF_THE_ENGINE.has(language)) throw new ScriptError('SCRIPT_ENGINE_OFF', `Scripts in ${language} need the polyglot engine, which is switched off.`);
          throw new ScriptError('SCRIPT_LANGUAGE_UNKNOWN', `Nothing here runs scripts in ${JSON.stringify(language.slice(0, 40))}: js, python and ruby are known.`);
        },
        [Symbol.dispose]: () => sandbox[Symbol.dispose](),
      };
    },
  };
}
