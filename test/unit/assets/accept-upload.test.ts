import { checkRules } from '../../../lambda/assets/accept-upload.ts';
import { contentDisposition, realType } from '../../../lambda/assets/asset-objects.ts';
import { announcedBytes } from '../../../lambda/assets/routes.ts';
import { assetRules } from '../../../lambda/contract/assets.ts';
import type { ApiRequest } from '../../../lambda/http/request.ts';
import { parsedBody } from '../../../lambda/http/router.ts';
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
    { type: 'font/woff2' },
    { type: 'application/pdf' },
  ])('allows what the rules say', (described) => expect(() => checkRules(described, rules)).not.toThrow());

  testRows([
    [{ type: 'text/html' }, 400, 'type text/html are not accepted: the accepted types are image/*, audio/*,'],
    [{ type: 'application/pdfx' }, 400, 'application/pdfx'],
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
    [{ maxbytes: 1 }, 'maxbytes'],
  ])('is rejected with a reason', (assets, message) => {
    expect(() => parseConfig({ assets }, 'test')).toThrow(message);
  });
});

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('the bytes that a request announces', () => {
  const requestWith = (attributes: object, scope = 'assets:write') => {
    const rawBody = jest.fn(() => Buffer.from(JSON.stringify({ attributes })));
    const caller = { id: 'key:me', limit: 1, credential: { kind: 'key', scopes: [scope] } };
    return { headers: { 'content-type': 'application/json' }, caller, rawBody } as unknown as ApiRequest;
  };

  testRows([
    [{ size: 7 }, 7],
    [{ size: MAX + 1 }, 0],
    [{ size: 7, type: 'text/html' }, 0],
    [{ size: 'x' }, 0],
  ])('are none if the request is refused', async (attributes, bytes) => {
    expect(await announcedBytes(requestWith(attributes), rules)).toBe(bytes);
  });

  it('are read from a body that is parsed once, and not that of a caller without the scope', async () => {
    const request = requestWith({ size: 7 });
    await announcedBytes(request, rules);
    expect(await parsedBody('createAsset', request)).toEqual({ attributes: { size: 7 } });
    expect(request.rawBody).toHaveBeenCalledTimes(1);
    const other = requestWith({ size: 7 }, 'assets:read');
    expect(await announcedBytes(other, rules)).toBe(0);
    expect(other.rawBody).not.toHaveBeenCalled();
  });
});

describe('the real type of a file', () => {
  testRows([
    ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
    ['image/apng', '\x89PNG\r\n\x1a\n', 'image/apng'],
    ['image/png', '\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
    ['image/pjpeg', '\xff\xd8\xff\xe0\0\x10JFIF', 'image/pjpeg'],
    ['image/png', 'GIF89a', 'image/gif'],
    ['image/png', 'RIFF\x24\0\n\0WEBPVP8 ', 'image/webp'],
    ['audio/x-wav', 'RIFF\x24\0\0\0WAVEfmt ', 'audio/x-wav'],
    ['image/webp', 'RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
    ['audio/mpeg', 'fLaC', 'audio/flac'],
    ['image/png', '%PDF-1.7', 'application/pdf'],
    ['font/ttf', 'wOF2', 'font/woff2'],
    ['image/png', ' \r\n<!DOCTYPE html><script>', 'text/html'],
    ['image/png', '\xef\xbb\xbf<HTML>', 'text/html'],
    ['image/png', '<?xml version="1.0"?><svg', 'image/svg+xml'],
    ['image/svg+xml', '<!-- drawn --><svg>', 'image/svg+xml'],
  ])('is that of its first bytes, whatever was sent', (sent, beginning, type) => {
    expect(realType(sent, bytes(beginning))).toBe(type);
  });

  testRows([
    ['video/mp4', '\0\0\0\x18ftypmp42'],
    ['audio/ogg', 'OggS'],
    ['image/png', 'abcd'],
    ['image/png', ''],
  ])('is the declared one for an unknown signature', (sent, beginning) => {
    expect(realType(sent, bytes(beginning))).toBe(sent);
  });

  testRows(['Audio/OGG; codecs=opus', 'audio/ogg;', ' audio/ogg ; a="b, c;\\" d" ;; e=f', 'audio/ogg\t;\ta=b'])(
    'is lower case without parameters',
    (sent) => expect(realType(sent, bytes('OggS'))).toBe('audio/ogg'),
  );

  testRows([
    '',
    '/png',
    'image',
    'image/x y<b>',
    'image/png/html',
    'image/png;, text/html',
    'image/png; a="b", text/html',
    'image/png; a="b',
    'image/png; a',
    `image/${'x'.repeat(128)}`,
  ])('is application/octet-stream for an invalid Content-Type and an unknown signature', (sent) => {
    expect(realType(sent, bytes('abcd'))).toBe('application/octet-stream');
    expect(realType(sent, bytes('GIF89a'))).toBe('image/gif');
  });

  it('is parsed in linear time', () => {
    for (const part of ['; ', ';', ' ', '; a=b', '; a="', '\\"'])
      expect(realType(`image/png${part.repeat(20_000)},`, bytes(''))).toBe('application/octet-stream');
  });
});

describe('the disposition', () => {
  testRows(['image/png', 'image/webp', 'audio/mpeg', 'video/mp4', 'application/pdf', 'font/woff2'])(
    'of images, audio and video is inline',
    (type) => expect(contentDisposition(type, undefined)).toBe('inline'),
  );

  testRows(['image/svg+xml', 'text/html', 'text/xml', 'audio/anything+xml', 'image/x-unknown', ''])(
    'of anything else is attachment',
    (type) => expect(contentDisposition(type, undefined)).toBe('attachment'),
  );

  testRows([
    ['me.png', 'me.png'],
    ['ä b.png', '%C3%A4%20b.png'],
    [`a"; filename=x\r\n'()*.png`, 'a%22%3B%20filename%3Dx%0D%0A%27%28%29%2A.png'],
    ['\ud800.png', '%EF%BF%BD.png'],
  ])('encodes the name', (name, value) => {
    expect(contentDisposition('image/png', name)).toBe(`inline; filename*=UTF-8''${value}`);
  });
});
