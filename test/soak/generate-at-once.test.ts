import { generateAtOnce } from '../support/generate-at-once.ts';

it('50 concurrent generations all succeed, each with its own project', () => generateAtOnce(50));
