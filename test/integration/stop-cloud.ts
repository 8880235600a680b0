export default (): Promise<void> => globalThis.stopCloud();
