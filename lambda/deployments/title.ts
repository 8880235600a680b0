import { Parser } from 'htmlparser2';

/**
 * The text of a page's first `<title>` element, entities decoded and white space folded; undefined when there is
 * none or it is empty. One inside an SVG titles the drawing; one in a comment or a script is no element.
 */
export function titleOf(html: string): string | undefined {
  let text: string | undefined;
  let inTitle = false;
  let svgDepth = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (name === 'svg') svgDepth++;
      else if (name === 'title' && svgDepth === 0 && text === undefined) [text, inTitle] = ['', true];
    },
    ontext: (data) => {
      if (inTitle) text += data;
    },
    onclosetag: (name) => {
      if (name === 'svg') svgDepth--;
      else if (name === 'title') inTitle = false;
    },
  });
  parser.end(html);
  return text?.replace(/\s+/g, ' ').trim() || undefined;
}
