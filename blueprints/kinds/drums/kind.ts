import { pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

/** The music that a prompt names, in the order of the presets in src/beat.js. */
const STYLES = [/house|techno|dance|electro/i, /hip[- ]?hop|rap|lo-?fi/i, /rock|punk/i, /bossa|latin/i];
const TEMPO = /(\d{2,3})\s*(?:bpm|beats per minute|schläge)|(?:bpm|tempo)[\s:=]*(?:of )?(\d{2,3})/i;

export const drums: Kind<'title' | 'about'> = {
  name: 'drums',
  layers: pageLayers('drums', ['storage', 'texts', 'dom', 'studio']),
  accent: '#e8590c',
  words: [
    ['(?:drum|beat|rhythm)[- ]?(?:machines?|computers?|pads?|kits?|loops?|makers?|box(?:es)?)', 7],
    ['(?:(?:step|music|rhythm|drum|beat)[- ]?)?sequencers?|drums?|make beats|groove ?box', 5],
    ['drumcomputer|rhythmusmaschine|schlagzeug(?:computer|maschine)?', 6],
    ['(?:caja|máquina|caixa) de ritmos?|(?:batería|bateria) (?:electrónica|eletr[ôó]nica|virtual)', 6],
    ['boîte à rythmes?|batterie (?:électronique|virtuelle)|s[eé]quenceur|sec?uencia?dor', 6],
  ],
  values(brief: Brief, texts) {
    const title = titleOf(brief, /drum|beat|sequen|rhyth|ritm|rythm|groove|schlagzeug|bater/i, texts.title);
    const [, before = '', after = before] = TEMPO.exec(brief.text) ?? [];
    const tempo = after && Math.min(200, Math.max(60, Number(after)));
    const style = STYLES.findIndex((words) => words.test(brief.request));
    return { title, description: `${title}: ${texts.about}`, firstTempo: tempo || 0, style };
  },
};
