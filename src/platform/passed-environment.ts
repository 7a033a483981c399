/**
 * Environment for a child process. Only the named variables are passed on: the others include
 * passwords, keys and addresses of stores.
 */
export function passedEnvironment(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
