import { newCaller } from '../cloud/client.ts';
import type { Responses } from './record.ts';

const ASSETS = '/api/v1/assets/user-assets/';
const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');
const ATTRIBUTES = { name: 'me.png', type: 'image/png', size: PNG.length };

/** Uploads of assets. What was marked as uploaded is there. */
export class Uploads {
  readonly #caller: ReturnType<typeof newCaller>;
  readonly #responses: Responses;
  readonly #key: { readonly 'x-api-key': string };
  readonly #uploaded: string[] = [];

  constructor(baseUrl: string, responses: Responses, key: string) {
    this.#caller = newCaller(baseUrl);
    this.#responses = responses;
    this.#key = { 'x-api-key': key };
  }

  async upload(): Promise<void> {
    const sent = this.#caller.post(ASSETS, { attributes: ATTRIBUTES }, this.#key);
    const created = await this.#responses.note('asset', sent);
    if (created?.status !== 201) return;
    const { asset_id, upload_url, upload_headers } = created.json;
    const { origin, pathname, search } = new URL(upload_url);
    const put = { method: 'PUT', body: PNG, headers: upload_headers };
    const stored = await this.#responses.note('upload', newCaller(origin).send(pathname + search, put));
    if (stored?.status !== 200) return;
    const path = `${ASSETS}${asset_id}/`;
    const patch = { method: 'PATCH', body: {}, headers: this.#key };
    const marked = await this.#responses.note('asset', this.#caller.send(path, patch));
    if (marked?.status === 204) this.#uploaded.push(path);
  }

  async expectKept(): Promise<number> {
    for (const path of this.#uploaded) {
      const { json } = await this.#caller.send(path, { headers: this.#key });
      expect(json).toMatchObject({ state: 'uploaded', attributes: ATTRIBUTES });
      const { origin, pathname, search } = new URL(json.download_url);
      expect((await newCaller(origin).send(pathname + search)).bytes).toEqual(PNG);
    }
    return this.#uploaded.length;
  }
}
