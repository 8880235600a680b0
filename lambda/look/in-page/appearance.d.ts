export function settleFrames(fontsMs: number): Promise<void>;
export function isOneColor(png: string): Promise<boolean>;
export function showsSomething(): boolean;
export function sticksOut():
  | { readonly scrollWidth: number; readonly width: number; readonly element?: string }
  | undefined;
