/** The master password of services in tests. */
export const MASTER_PASSWORD = 'the master password';
