import { generateAtOnce } from '../support/generate-at-once.ts';

it('12 concurrent generations all succeed, each with its own project', () => generateAtOnce(12));
