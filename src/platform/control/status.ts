import { z } from 'zod';
import { VERSION } from '../version';
import { controlCommand } from './command';
import type { ControlCommand } from './command';

export const STATUS_COMMAND = 'status';

export const createStatusCommand = (url: string): ControlCommand =>
  controlCommand(STATUS_COMMAND, z.object({}), () =>
    Promise.resolve({ pid: process.pid, version: VERSION, url }),
  );
