import { pageLayers } from '../../kit/kinds.ts';
import { readList } from '../../kit/lists.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const TRACKS = 'songs?|tracks?|playlist|music|tunes|lieder|titel|songs|canciones|morceaux|chansons|músicas|faixas';
const SAMPLES = ['track1', 'track2', 'track3', 'track4', 'track5'] as const;

export const player: Kind<'title' | 'about' | (typeof SAMPLES)[number]> = {
  name: 'player',
  layers: pageLayers('player', ['storage', 'texts', 'dom', 'studio']),
  accent: '#c2255c',
  words: [
    ['(?:music|audio|mp3|song|media|podcast|radio|sound)[- ]?(?:players?|apps?)|jukebox|winamp|walkman', 6],
    ['playlists?|spotify|songs?|(?:play|listen to) (?:my )?(?:music|mp3s?|songs)|music streaming', 4],
    ['mus[ií]k-?(?:player|app|spieler)|(?:mp3|audio)-?(?:player|spieler)|musik abspielen', 6],
    ["(?:reproductor|lecteur|tocador|leitor|player) (?:de |d[’'])?(?:música|musique|audio|áudio|mp3)", 6],
    ['lecteur audio|reproductor|baladeur', 5],
  ],
  values(brief: Brief, texts) {
    const title = titleOf(brief, /player|mus[iíe]|audio|jukebox|playlist|spotify|spieler|lect|repro/i, texts.title);
    const listed = readList(brief.text, TRACKS);
    const names = listed.length > 0 ? listed : SAMPLES.map((name) => texts[name]);
    return { title, description: `${title}: ${texts.about}`, names };
  },
};
