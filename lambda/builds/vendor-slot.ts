import { download, upload } from '../platform/presigned.ts';
import type { VendorSlot } from './build-input.ts';

/** Returns the vendor slot of a build. Without it, a build takes longer: an upload that fails is no error. */
export function vendorSlot({ get, put }: { readonly get: string; readonly put: string }): VendorSlot {
  return {
    read: () => download(get).catch(() => undefined),
    write: (bundle) => upload(put, bundle).catch(() => undefined),
  };
}
