export function settleFrames(fontsMs: number): Promise<void>;
export function showsSomething(): boolean;
export function sticksOut():
  | { readonly scrollWidth: number; readonly width: number; readonly element?: string }
  | undefined;
