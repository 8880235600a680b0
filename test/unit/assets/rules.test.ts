import { checkRules } from '../../../lambda/assets/rules.ts';
import { assetRules } from '../../../lambda/contract/assets.ts';
import { parseConfig } from '../../../lib/config.ts';
import { testRows } from '../../support/rows.ts';

const MAX = 25 * 1_048_576;
const rules = assetRules.parse({});

describe('checkRules', () => {
  testRows([
    {},
    { type: 'image/png', size: 1 },
    { type: 'image/svg+xml', size: MAX },
    { type: 'audio/mpeg' },
    { type: 'video/mp4' },
    { type: 'font/woff2' },
    { type: 'application/pdf' },
  ])('allows what the rules say', (described) => expect(() => checkRules(described, rules)).not.toThrow());

  testRows([
    [{ type: 'text/html' }, 400, 'type text/html are not accepted: the accepted types are image/*, audio/*,'],
    [{ type: 'application/pdfx' }, 400, 'application/pdfx'],
    [{ type: 'imagery/png' }, 400, 'imagery/png'],
    [{ type: '' }, 400, 'not accepted'],
    [{ size: MAX + 1 }, 413, 'The asset has 26,214,401 bytes: at most 26,214,400 are accepted'],
    [{ size: 0 }, 400, 'at least one byte'],
  ])('rejects other sizes and types', (described, status, message) => {
    const check = () => checkRules(described, rules);
    expect(check).toThrow(expect.objectContaining({ status, message: expect.stringContaining(message) }));
  });
});

describe('the configuration of rules', () => {
  it('has defaults', () => {
    expect(parseConfig({ assets: { types: ['image/png'] } }, 'test').assets).toEqual({
      maxBytes: MAX,
      types: ['image/png'],
    });
    expect(parseConfig({}, 'test').assets).toEqual(rules);
  });

  testRows([
    [{ maxBytes: 0 }, 'assets.maxBytes'],
    [{ maxBytes: 6 * 1024 ** 3 }, '5 GiB, the limit of a single PUT'],
    [{ types: [] }, 'assets.types'],
    [{ types: ['*/*'] }, 'must be a media type'],
    [{ types: ['Image/PNG'] }, 'must be a media type'],
    [{ maxbytes: 1 }, 'maxbytes'],
  ])('is rejected with a reason', (assets, message) => {
    expect(() => parseConfig({ assets }, 'test')).toThrow(message);
  });
});
