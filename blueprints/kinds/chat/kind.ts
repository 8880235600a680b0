import { pageLayers } from '../../kit/kinds.ts';
import { readList, splitList } from '../../kit/lists.ts';
import { capitalize, shorten, titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const PEOPLE =
  'contacts?|people|friends|users|members|conversations|chats|channels|kontakte|contactos|personas|contatos|pessoas|amis';
/** "between Ana and Ben", "mit Ana, Ben und Chris": names are words with a capital letter. */
const NAMES =
  /(?<!\p{L})(?:between|with|zwischen|mit|entre|con|avec|com|contacts|users|friends) (\p{Lu}\p{L}+(?:(?:, (?:and )?| and | und | y | et | e )\p{Lu}\p{L}+)+)(?!\p{L})/u;
const TECHNOLOGY = /react|tailwind|node|script|html|css|vue|firebase|next|python|bootstrap/i;
const BOT = /bot(?!\p{L})|assistant|assistent|asistente|gpt|(?<!\p{L})(?:ai|ki|ia)(?!\p{L})|support/iu;

function namesIn(text: string): string[] {
  const listed = readList(text, PEOPLE);
  const named = NAMES.exec(text)?.[1] ?? '';
  return listed.length > 0 || TECHNOLOGY.test(named) ? listed : splitList(named.replace(/ e /, ', '));
}

export const chat: Kind<'title' | 'about' | 'assistant'> = {
  name: 'chat',
  layers: pageLayers('chat', ['storage', 'texts', 'dom', 'studio']),
  accent: '#0b6e99',
  words: [
    ['chat(?:s|ting)?[- ]?(?:apps?|bots?|rooms?|interfaces?|windows?|widgets?|clients?|ui)?|chatten', 5],
    ['messengers?|(?:instant[- ]?)?messaging|whats ?app|telegram|slack|discord|nachrichten-?app|imessage', 5],
    ['messagerie|mensajería|mensajero|mensageiro|(?:app|aplicativo) de mensagens|bate-?papo|clavardage', 5],
    ['chat ?gpt|message bubbles|(?:ai|virtual|ki)[- ]assist[ae]nt|conversational|talk to', 4],
  ],
  values(brief: Brief, texts) {
    const listed = namesIn(brief.text).map((name) => shorten(capitalize(name), 30));
    const names = BOT.test(brief.request) ? [texts.assistant] : ['Ana', 'Ben', 'Chloé', 'Diego'];
    const title = titleOf(brief, /chat|mess|mensa|papo|assist|bot|clone|talk/i, texts.title);
    return { title, description: `${title}: ${texts.about}`, names: listed.length > 0 ? listed : names };
  },
};
