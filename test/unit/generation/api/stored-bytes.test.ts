import { storedBytes } from '../../../../lambda/generation/api/routes.ts';
import { testRows } from '../../../support/rows.ts';

const project = { files: [{ path: 'index.html', content: '', size: 9_000 }] };
const images = [{ path: 'assets/me.png', content: Buffer.alloc(1_000) }];

testRows<[boolean, typeof project | undefined, typeof images, number]>([
  [false, undefined, [], 0],
  [false, project, images, 10_000],
  [true, undefined, [], 500_000],
  [true, project, images, 520_000],
])(
  'counts the project and the images of a generation, again for its deploy',
  (isDeployed, parent, given, bytes) => {
    expect(storedBytes(parent, given, isDeployed)).toBe(bytes);
  },
);
