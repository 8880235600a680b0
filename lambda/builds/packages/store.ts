/**
 * Archives of packages that the registry sent before, under their own hash: `sha512-…` (Subresource Integrity). What it
 * returns is verified each time, so that a replaced object is as good as none.
 */
export interface PackageStore {
  get(integrity: string): Promise<Uint8Array | undefined>;
  put(integrity: string, archive: Uint8Array): Promise<void>;
}

/** A store without packages, which keeps none. */
export const NO_STORE: PackageStore = {
  get: async () => undefined,
  put: async () => {},
};
