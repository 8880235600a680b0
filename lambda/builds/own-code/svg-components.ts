import type { BuildContext, Language } from '../context.ts';
import { splitQuery, textOf } from '../files.ts';
import { errorAt } from '../problems.ts';

/**
 * SVG as components of React, as `vite-plugin-svgr` makes them: `./leaf.svg?react`, the export `ReactComponent` of its
 * versions before 4, or every picture, if the configuration includes them.
 */
export function svgComponents({ project, config }: BuildContext): Language {
  return {
    load(id) {
      const { path, query } = splitQuery(id);
      const isUsed = config.svgr !== undefined || query === '?react';
      const svg = isUsed && path.endsWith('.svg') ? textOf(project, path) : undefined;
      if (svg === undefined) return undefined;
      const from = (use: string) => JSON.stringify(`/${path}?${use}`);
      const isComponent = query === '?react' || (query === '' && config.svgr === 'all');
      if (isComponent) return { code: componentCode(path, svg), moduleType: 'js', moduleSideEffects: false };
      if (query !== '') return undefined;
      const code = `export { default } from ${from('url')};\nexport { default as ReactComponent } from ${from('react')};`;
      return { code, moduleType: 'js', moduleSideEffects: false };
    },
  };
}

/** Match the first element only, and whole attributes: a search from every place would take quadratic time. */
const ROOT = /<svg\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*)<\/svg\s*>)/iy;
const ATTRIBUTE = /(?<![^\s/"'])([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The attributes of the root can be replaced by properties; its content is markup. */
function componentCode(path: string, svg: string): string {
  ROOT.lastIndex = Math.max(0, svg.search(/<svg\b/i));
  const [, tag, content = ''] = ROOT.exec(svg) ?? [];
  if (tag === undefined) throw errorAt(path, svg, 1, 1, 'There is no <svg> element');
  const attributes = Array.from(tag.matchAll(ATTRIBUTE), ([, name = '', double, single = '']) => {
    const text = (double ?? single).replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&');
    return [propertyOf(name), name === 'style' ? styleOf(text) : text];
  });
  return `import { createElement } from 'react';
const attributes = ${JSON.stringify(Object.fromEntries(attributes))};
const content = { __html: ${JSON.stringify(content)} };
export default (properties) =>
  createElement('svg', { ...attributes, ...properties, children: undefined, dangerouslySetInnerHTML: content });`;
}

/** `stroke-width` → `strokeWidth`, as React has them. */
function propertyOf(attribute: string): string {
  if (attribute === 'class') return 'className';
  return /^(?:aria|data)-/.test(attribute)
    ? attribute
    : attribute.replace(/[-:]([a-z])/gi, (_, letter: string) => letter.toUpperCase());
}

function styleOf(text: string): object {
  const declarations = text.split(';').map((each) => /^\s*(-{0,2}[\w-]+)\s*:(.*)$/s.exec(each));
  return Object.fromEntries(
    declarations.flatMap((found) => {
      const [, name = '', value = ''] = found ?? [];
      return name === '' ? [] : [[name.startsWith('--') ? name : propertyOf(name), value.trim()]];
    }),
  );
}
