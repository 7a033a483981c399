import { existsSync } from 'node:fs';

/** The browser that is installed here, if one is. */
export const CHROMIUM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path !== undefined && existsSync(path));

export const CHROMIUM_OPTIONS = { executablePath: CHROMIUM, args: ['--no-sandbox'] };
