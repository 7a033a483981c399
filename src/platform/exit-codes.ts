/**
 * Exit codes of the service and its commands; `docs/operations.md` has the same table, generated.
 * All above 2 but 69 are those of sysexits.h.
 */
export const EXIT_CODES = {
  success: {
    code: 0,
    meaning: 'The command did what it was asked for; the service was stopped by a signal.',
  },
  failed: {
    code: 1,
    meaning:
      'The command failed, or `doctor` or `config check` found an error; the service could not start, or lost its store.',
  },
  wrongUse: {
    code: 2,
    meaning: 'An unknown command, option or argument, or a missing one. Nothing was started.',
  },
  damagedData: {
    code: 65,
    meaning:
      'The service could not start because the file of the store is damaged. A restart does not help: restore a backup.',
  },
  foreignProcess: {
    code: 69,
    meaning:
      'The service may not use the store: its token secret or the key of the stored secrets differs, its version is older, older processes use a store that must be migrated, or the store is not shared. A restart does not help.',
  },
  fault: { code: 70, meaning: 'A fault in the service itself. Restart it.' },
  restart: {
    code: 75,
    meaning:
      'A restart was requested on the page System Configuration. A supervisor starts the service again.',
  },
  configuration: {
    code: 78,
    meaning:
      'The configuration cannot be used, or the command cannot be used with it. A restart does not help.',
  },
} as const;

type ExitName = keyof typeof EXIT_CODES;

export const EXIT = Object.fromEntries(
  Object.entries(EXIT_CODES).map(([name, { code }]) => [name, code]),
) as { readonly [Name in ExitName]: (typeof EXIT_CODES)[Name]['code'] };
