import { missingSettings } from '../errors/missing-settings';
import { Polyglot } from './polyglot';
import type { PolyglotConfig } from './polyglot';
import { Sandbox } from './sandbox';
import type { SandboxLimits } from './sandbox-messages';
import type { ScriptRunner } from './script';
import { ScriptError } from './script';

/** Creates the script runners of a process. */
export interface Scripts {
  /** Creates the runner of one run. */
  open(): ScriptRunner;
  close(): void;
}

/** Limits for all languages, and the location of the engine for languages other than JavaScript. */
export interface ScriptsConfig extends SandboxLimits {
  /** Null: disabled. */
  readonly polyglot: PolyglotConfig | null;
  /** The key of the configuration that enables it. */
  readonly polyglotKey: string;
}

/** Scripts without a language are JavaScript, as in old versions. */
const JAVASCRIPT: ReadonlySet<string> = new Set(['', 'js', 'javascript']);
const normaliseLanguage = (language: string): string => language.trim().toLowerCase();
const OF_THE_ENGINE: ReadonlySet<string> = new Set(['python', 'ruby']);

/**
 * Runs JavaScript in the sandbox and other languages in the polyglot engine.
 * @param program path of the compiled sandbox worker; default: next to this file
 */
export function createScripts(
  { polyglot, polyglotKey, ...limits }: ScriptsConfig,
  program?: string,
): Scripts {
  const engine = polyglot === null ? null : new Polyglot(polyglot, limits);
  return {
    open() {
      const sandbox = new Sandbox({ ...limits, program });
      return {
        async ready(languages, signal) {
          if (languages.some((language) => JAVASCRIPT.has(normaliseLanguage(language))))
            await sandbox.ready(signal);
        },
        async evaluate(script, signal) {
          const language = normaliseLanguage(script.language);
          if (JAVASCRIPT.has(language)) return sandbox.evaluate(script, signal);
          if (!OF_THE_ENGINE.has(language))
            throw new ScriptError(
              'SCRIPT_LANGUAGE_UNKNOWN',
              `Nothing here runs scripts in ${JSON.stringify(language.slice(0, 40))}: js, python and ruby are known.`,
            );
          if (engine === null)
            throw new ScriptError(
              'SCRIPT_ENGINE_OFF',
              missingSettings(`Scripts in ${language} need the polyglot engine`, [polyglotKey]),
            );
          return engine.evaluate(language, script, signal);
        },
        [Symbol.dispose]: () => sandbox[Symbol.dispose](),
      };
    },
    close: () => engine?.close(),
  };
}
