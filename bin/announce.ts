import { readConfig } from '../lib/config.ts';
import { announcement } from './announcement.ts';

try {
  const file = process.env.CONFIG_FILE ?? 'config/default.json';
  console.log(announcement(file, readConfig(file)));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
