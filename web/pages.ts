export function pages(): Record<string, string> {
  return {
    'index.html': '<!doctype html><title>prompt-to-project</title>',
    'docs/index.html': '<!doctype html><title>Reference</title><h2 id="rate-limits">',
  };
}
