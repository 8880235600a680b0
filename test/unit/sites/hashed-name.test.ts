import fc from 'fast-check';
import { isHashedName, mayBeHashedName } from '../../../lambda/sites/hashed-name.ts';
import { testRows } from '../../support/rows.ts';

const words = (lines: readonly string[]) => lines.flatMap((line) => line.split(' '));

testRows(
  words([
    // Vite and Rollup, and VitePress.
    'assets/index-BkC3x9aZ.js assets/urlMatch-Cgl6axSs.js assets/firefox-beta-k3eOH_eK.svg rolldown-runtime-D7D4PA-g.js',
    'index.B_TqY17P.css xtermModule.kHJ-D0s7.css assets/index-BY2vkw8A.js.map assets/vendor-4cc5a0de.css',
    'assets/guide_index.md.D7D4PA-g.lean.js',
    // webpack, Create React App, Vue CLI and Gatsby.
    'static/js/787.05a8b3fc.chunk.js static/js/main.8c6f1e2d.js.map static/css/main.f855e6bc.css',
    'static/media/logo.6ce24c58023cc2f8fd88fe9d219db6c6.svg app-1c5e09a3c2f04b7d9a6e.js',
    'runtime~main.a1b2c3d4.bundle.js',
    // esbuild and Angular.
    'chunk-KJ3PPEZ5.mjs chunk-CCMSXJSG.mjs main-FFHMD2TL.js styles-5INURTSO.css main.3ff695c00d717f2d.js',
    // Parcel.
    'logo.e5f6a7b8.png',
    // Next.js.
    '_next/static/chunks/framework-3664cab31236a9fa.js _next/static/chunks/pages/[slug]-91f0c2b3d4e5a6b7.js',
    '_next/static/css/5d2a9f0c1b3e4d6f.css _next/static/media/e4af272ccee01ff0-s.p.woff2',
    '_next/static/chunks/0b9c8d7e6f5a4b3c.js',
    // SvelteKit, Astro and Nuxt, whose folders hold nothing else.
    '_app/immutable/chunks/CaVoHcJd.js _app/immutable/assets/0.DZdLGLPk.css _astro/hoisted.81170750.js',
    '_astro/hero.BxQz3kTn_Z1dLm2f.webp _nuxt/DiwrgTda.js docs/_nuxt/BkC3x9aZ.js',
    // Django, Phoenix, Rails, Hugo, mdBook and rustdoc.
    'base.27e20196a850.js app-0c1f2e3d4b5a69788796a5b4c3d2e1f0.css elasticlunr-ef4e11c1.min.js',
    'style.min.4a8f0c3d2e1b5a6978c7d6e5f4a3b2c10f9e8d7c6b5a49382716f5e4d3c2b1a0.css',
    'open-sans-v17-all-charsets-300italic-2c7b95c0.woff2',
  ]),
)('a name that a build tool has written matches', (path) => expect(isHashedName(path)).toBe(true));

testRows([
  '',
  ...words([
    // Dates and times, versions and sizes.
    'photo-20240115.jpg notes-2024-01-15.png build.20240115ab.js backup-202401151230abcd.js',
    'jquery-3.7.1.min.js lib-v1.2.3.js app-v1-Beta2.js clip-1080p60f.mp4',
    // Cameras and phones.
    'IMG_20240101_123456.jpg IMG_E1234.JPG PXL_20230101_123456789.PORTRAIT.jpg trip-DSC_0123.jpg trip-IMG22356.jpg',
    'photo-1506744038136-46273834b3fb.jpg',
    // Words of eight letters, and words with numbers.
    'main-homepage.js main-Homepage.js main-HOMEPAGE.js theme-DarkMode.css app-jQueryUI.js trait.OsStrExt.js',
    'wallpaper-iPhone15.jpg part-Chapter1.mp3 demo-HTML5APP.png report-FY2024Q1.svg trip-My-Cat01.jpg',
    'art-3DModels.png map-2ndFloor.png',
    // Numbers and ids.
    'product-10024567.jpg product-1002456b.jpg frame-0000ab1c.png user-3f2a91bc-1d2e-4f5a-8b9c-0123456789ab.jpg',
    '6ce24c58023cc2f8fd88fe9d219db6c6.png BkC3x9aZ.js build-3f2a91b.js hash_3f2a91bc.js color-deadbeef.css',
    'build-8c6f1e2d3b4a5968778695a4b3c2d1e0f1a2b3c4.js',
    // In the folder of a build tool, but without a hash.
    '_next/static/chunks/polyfill.js _app/immutable/start.js _astro/homepage.js',
    // Pages and data.
    'index-BkC3x9aZ.html data.3f2a91bc.json manifest.3f2a91bc.webmanifest notes-3f2a91bc.txt',
    '_app/immutable/index-BkC3x9aZ.html _next/static/V1StGXR8_Z5jdHi6B-myT/_buildManifest.js',
    'main.3f2a91bc.js.LICENSE.txt main.3f2a91bc.js/readme.js',
  ]),
])('a name that a person or a camera has chosen does not match', (path) => expect(isHashedName(path)).toBe(false));

describe('mayBeHashedName', () => {
  const base64url = fc.string({
    unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
    minLength: 8,
    maxLength: 8,
  });

  it('misses at most two in a hundred of the hashes that Vite writes', () => {
    const hashes = fc.sample(fc.noBias(base64url), { numRuns: 10_000, seed: 1 });
    const missed = hashes.filter((hash) => !mayBeHashedName(`assets/Page-${hash}.js`));
    expect(missed.length).toBeLessThan(200);
  });

  testRows(
    words([
      'app.js main-homepage.js jquery-3.7.1.min.js my-report-2024.js report-20240115.js',
      // A page, data, and an image without a certain hash.
      'index-BkC3x9aZ.html data-3f2a91bc.json cover-Portrait.png',
    ]),
  )('is false without a hash', (name) => expect(mayBeHashedName(name)).toBe(false));

  testRows(
    words([
      'main.3f2a91bc.css chunk-ABCDEFGH2.js 123.3f2a91bc4d.chunk.js a-BkC3x9aZ.js.map cover-BkC3x9aZ.png',
      '_next/static/chunks/webpack-0f5e2c1a9b3d7e46.js',
    ]),
  )('is true for a name with a hash', (name) => expect(mayBeHashedName(name)).toBe(true));
});
