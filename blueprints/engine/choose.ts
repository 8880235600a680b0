import type { Brief, Kind } from '../kit/types.ts';

// A word in the head phrase has at least ten times its weight: "landing page" in "landing page for a timer".
const IN_HEAD = 10;
// The last word of a noun phrase is its noun: a "timer landing page" is a landing page.
const AT_ITS_END = 5;
/** The lowest score of a request for a kind: one word that asks for it, or two that hint at it. */
const ENOUGH = 3;
/** The same if the prompt asks for something that has another name: "a flux capacitor that shows my tasks". */
const ENOUGH_FOR_ANOTHER = 4;

/** Heads that leave open what is asked for. */
const OPEN =
  /^(?:\p{L}+ )?(?:(?:web ?|mobile )?(?:apps?|applications?|program|tool|website|site|page)|(?:some|any)?thin[gk]?|somewhere|place|way|game|helper|ui|aplicación|aplicativo|programa|herramienta|ferramenta|outil|appli|programm|anwendung|werkzeug|seite|webseite|página|sitio|site web)?$/iu;

const DENIED =
  /(?<!\p{L})(?:not|no|without|instead of|rather than|unlike|kein\w*|ohne|sans|sin|sem) (?:an? |the |any )?[\p{L}-]+(?: (?:list|app|page|timer|game|board))?/giu;

const whole = (source: string) => new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'giu');

/** Returns the weight of the words found: the heaviest one of the head, and the sum of all others. */
function score(words: Kind['words'], request: string, head: string): number {
  const start = request.indexOf(head);
  const end = start + head.length;
  let best = 0;
  let sum = 0;
  for (const [pattern, weight] of words) {
    const found = [...request.matchAll(whole(pattern))];
    const last = found.findLast(({ index }) => index >= start && index < end);
    if (last) {
      const place = Math.min(1, (last.index + last[0].length - start) / head.length);
      best = Math.max(best, weight * (IN_HEAD + AT_ITS_END * place));
    }
    if (found.some(({ index }) => index < start || index >= end)) sum += weight;
  }
  return best + sum;
}

/**
 * Returns the kind that fits a prompt best, the first one of a tie, or undefined if none fits: a wrong starter is worse
 * than none, and so is one that cannot hold what the prompt names.
 */
export function chooseKind(brief: Brief, kinds: readonly Kind[]): Kind | undefined {
  const request = brief.request.replace(DENIED, ' ');
  const head = request.includes(brief.head) ? brief.head : '';
  const fitting = kinds.filter((kind) => kind.fits?.(brief) ?? true);
  const scored = fitting.map((kind) => ({ kind, score: score(kind.words, request, head) }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  const enough = OPEN.test(head) ? ENOUGH : ENOUGH_FOR_ANOTHER;
  return best.score >= enough && best.score > score(BEYOND, request, head) ? best.kind : undefined;
}

/**
 * Words of requests that no starter answers, weighted like those of a kind: other platforms, programs that need a server,
 * hardware or a model, and questions. In "a landing page for an iOS app", the landing page weighs more.
 */
export const BEYOND: Kind['words'] = [
  [
    'ios|ipad ?os|android(?:-app)?|swift(?:ui)?|kotlin|flutter|react native|xcode|electron|(?:native|windows|mac ?os|desktop) app(?:lication)?|wpf|\\.net',
    7,
  ],
  [
    '(?:game|spiel|juego|jeu|jogo)(?: \\p{L}+){0,3} online|online (?:game|spiel)|unreal(?: engine)?|unity|godot|roblox|minecraft|multiplayer|mmo(?:rpg)?|first[- ]person|shooter|vr|3d',
    7,
  ],
  [
    "(?:linux )?kernel(?: (?:driver|module))?|(?:device )?drivers?|treiber|firmware|arduino|esp ?(?:32|8266)|raspberry pi|stm32|fpga|verilog|vhdl|embedded|robot(?:ics)?|drone|cuda|bootloader|operating system|betriebssystem|sistema operativo|système d[’']exploitation|sistema operacional|emulator|vpn|antivirus",
    7,
  ],
  [
    'compiler|compilador|compilateur|interpreter|llvm|assembler|programming language|programmiersprache|(?:\\p{L}+ )?(?:database|parser)|(?:dns|mail|ftp|game) server|search engine|suchmaschine',
    7,
  ],
  [
    'terraform|kubernetes|k8s|helm(?: chart)?|ansible|docker(?:file| compose)?|ci/cd|github action|pipeline|lambda function|cron ?job',
    6,
  ],
  [
    '(?:discord|telegram|slack|twitter|whats ?app|trading|crypto)[- ]?bots?|(?:web )?scrap(?:e|er|es|ing)|crawl(?:er|s|ing)?|bots? (?:de|für) \\p{L}+',
    8,
  ],
  [
    '(?:chrome|browser|firefox|vs ?code|safari)[- ](?:extension|add-?on|erweiterung|plugin)|extension (?:chrome|firefox)|extensión de (?:chrome|navegador)|plug-?ins?|add-?ins?|mods?|makros?|macros?|vba|excel|google sheets|wordpress|woocommerce|shopify|salesforce|photoshop|blender|figma|power ?point|power ?bi',
    8,
  ],
  [
    '(?:train|fine-?tune) an? (?:\\p{L}+ )?model|machine learning|deep learning|neural net(?:work)?s?|computer vision|pytorch|tensorflow|(?:image|face|speech|facial) (?:classifier|recognition|generator)|gesichtserkennung|reconocimiento facial|reconnaissance faciale|reconhecimento facial|deep ?fakes?|(?:text|speech)[- ]to[- ](?:speech|text|video|image)|ocr|llm|rag',
    7,
  ],
  ['blockchain|smart contracts?|solidity|nfts?|ethereum|defi|crypto(?:currency)? (?:exchange|wallet|token)|dao', 7],
  [
    '(?:clone|copy) of (?:uber|airbnb|facebook|instagram|tiktok|youtube|netflix|amazon|ebay|linkedin|tinder)|(?:uber|airbnb|facebook|instagram|tiktok|youtube|netflix|amazon|ebay|linkedin|tinder)(?:[- ]like)?[- ]clone|social (?:network|media platform)|soziales netzwerk|red social|réseau social|rede social|marketplace|marktplatz|dating app|ride[- ]sharing|live[- ]?(?:stream\\p{L}*|tracking)|video ?(?:call|chat|conferenc)\\p{L}*|streaming (?:service|platform)',
    7,
  ],
  [
    'erp(?:[- ]system)?|sap|crm|lohnbuchhaltung|payroll|hospital management|school management|point of sale|inventory management system',
    7,
  ],
  [
    '(?:shopping )?cart|check-?out|warenkorb|carrito|panier|carrinho|(?:accept|take|with)? ?payments|paypal|stripe|real money|e-?commerce',
    4,
  ],
  [
    '(?:fix|debug|refactor|optimi[sz]e|review) (?:the |my |this |these |a )?(?:\\p{L}+ )?(?:bugs?|code|function|query|script|error)|translate|übersetze?|traduce|traduis|traduza|summari[sz]e|proofread|legal advice|rechtsberatung|medical advice|diagnos\\p{L}+',
    7,
  ],
  [
    '(?:an? |my |the )?(?:essay|poem|novel|thesis|cover letter|sonnet|gedicht|aufsatz|poema|ensayo|poème|dissertation)|tell me|explain to me|(?:create|generate|make|generiere|erstelle)? ?(?:ein |an? )?(?:video|logo|song|podcast)',
    4,
  ],
  ['^(?:what|who) (?:is|are|was|were)|^why|^(?:can|should|may) (?:i|my|we)|^how (?:do|can|to)|^(?:was|wer) ist', 3],
  [
    '(?:flow|org|seating|chore|reward|star|organi[sz]ation)[- ]?charts?|organigramm|organigrama|websockets?|mailing list(?: server)?|podcasts?|sms|gps|route planning|datev|(?:automatically|automatisch) (?:with|bei|an)|sync(?:s|ed)? (?:with|across)',
    7,
  ],
];
