import { readConfig } from '../lib/config.ts';
import { readCapacity } from './account-capacity.ts';
import { announcement } from './announcement.ts';
import { capacityNotice } from './capacity-notice.ts';
import { regionOf, stackNameOf } from './stack-name.ts';

try {
  const file = process.env.CONFIG_FILE ?? 'config/default.json';
  const config = readConfig(file);
  console.log(announcement(file, config));
  const capacity = await readCapacity(stackNameOf(config), regionOf(process.env)).catch(
    (error: Error) => error,
  );
  console.log(capacityNotice(config, capacity));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
