const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Words of the language, in loose and in strict code, and what scripts are given or leave. */
const TAKEN = new Set([
  'arguments', 'await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default', 'delete', 'do', 'else', 'enum', 'eval', 'export', 'extends', 'false', 'finally', 'for',
  'function', 'if', 'implements', 'import', 'in', 'instanceof', 'interface', 'let', 'new', 'null', 'package', 'private', 'protected', 'public', 'return', 'static', 'super', 'switch', 'this',
  'throw', 'true', 'try', 'typeof', 'undefined', 'var', 'void', 'while', 'with', 'yield', 'NaN', 'Infinity', 'Requests', 'Responses', 'RESULT_VAR',
]);

/** Can a script have a variable of this name, and is it its own? */
export const isVariableName = (name: string): boolean => IDENTIFIER.test(name) && !TAKEN.has(name);
