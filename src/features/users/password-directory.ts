/** Details of a person as a directory has them: of any length, null if it has none. */
export type DirectoryDetail = Readonly<
  Record<
    'name' | 'surname' | 'phoneNumber' | 'department' | 'organisation' | 'salutation',
    string | null
  >
>;

/** A person whose password was right. */
export interface DirectoryPerson {
  /**
   * Keys of the entry of the person as `kind=value`, the strongest kind first. Ids are missing if the
   * server does not show them; the last one is always that of the distinguished name.
   */
  readonly entryKeys: readonly string[];
  /** The e-mail address of the entry; null if it has none. */
  readonly mail: string | null;
  /** The names that the directory was asked about and that only this entry has. */
  readonly ownNames: readonly string[];
  /** Name of the user group that the directory gives. */
  readonly role: string;
  readonly detail: DirectoryDetail;
}

/**
 * Limits the passwords that are tried with one entry, under whichever of its names. An entry is named
 * by the key of its distinguished name.
 */
export interface EntryLimit {
  isOpen(entry: string): Promise<boolean>;
  /** Returns false, and counts nothing, if an attempt at the same time has locked the entry. */
  tryCount(entry: string, isRight: boolean): Promise<boolean>;
}

/** Checks passwords of users who have none here. */
export interface PasswordDirectory {
  readonly isConfigured: boolean;
  /**
   * Returns null for an unknown or ambiguous name, for a wrong password, and without a check while
   * the entry is locked.
   * @param forms ways to write the name
   * @param toVerify gets the other names of the entry, and returns those to ask the directory about
   * @throws Unavailable LDAP_UNAVAILABLE if no server answers
   */
  authenticate(
    forms: readonly string[],
    password: string,
    toVerify: (names: readonly string[]) => Promise<readonly string[]>,
    limit: EntryLimit,
  ): Promise<DirectoryPerson | null>;
}
