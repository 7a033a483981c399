/** Variables of this process for one that it starts. Passwords, keys and addresses of stores stand among them: none is passed on that is not named here. */
export function passedEnvironment(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
