/** What a child needs of the environment: the time zone, certificates of the company, and what Windows starts nothing without. */
const NEEDED = ['TZ', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'SystemRoot'] as const;

/** Passwords, keys and addresses of stores stand in the environment of a service: none of them is passed on. */
export function childEnvironment(): Record<string, string> {
  return Object.fromEntries(NEEDED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }));
}
