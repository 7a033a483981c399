/** Execution of workflow scripts and their limits. */
export { createScripts } from './scripts';
export type { Scripts, ScriptsConfig } from './scripts';
export type { Script, ScriptRunner } from './script';
export { SCRIPT_ERROR_CODES, ScriptError } from './script';
export type { ScriptErrorCode } from './script';
