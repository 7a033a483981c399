/** Details of a person as a directory has them: of any length, null if it has none. */
export type DirectoryDetail = Readonly<
  Record<
    'name' | 'surname' | 'phoneNumber' | 'department' | 'organisation' | 'salutation',
    string | null
  >
>;

/** A person whose password was right. */
export interface DirectoryPerson {
  /** Name of the user group that the directory gives. */
  readonly role: string;
  readonly detail: DirectoryDetail;
}

/** Checks passwords of users who have none here. */
export interface PasswordDirectory {
  readonly isConfigured: boolean;
  /**
   * Returns null for an unknown or ambiguous name, and for a wrong password.
   * @throws Unavailable LDAP_UNAVAILABLE if no server answers
   */
  authenticate(name: string, password: string): Promise<DirectoryPerson | null>;
}
