import { artwork } from '../../kit/artwork.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { isOccasion, isSolemn } from '../../kit/occasions.ts';
import { readPlace, shorten, toTitle, withoutManner, withoutRequest } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';
import { namesMonth } from '../../kit/when.ts';
import { landingSections, tradeOf } from './sections.ts';

const PAGE_WORDS =
  /\s*(?:landing[- ]?page|home ?page|web ?site|web ?page|webseite|site (?:web|vitrine)|sitio web|página(?: web| de aterrizaje)?|one-pager|marketing (?:page|site)|startseite|page|site|web(?= d[eo] ))s?\s*/giu;

const SITE =
  '(?:web ?site|web ?page|webseite|website|site|site web|sitio(?: web)?|página(?: web)?|home ?page|web(?= para))';

/** Words for offers to strangers, whatever the trade. */
const OFFERED =
  /landing|splash|launch|coming soon|start-?up|business|company|products?(?!\p{L})|marketing|sales|waitlist|vitrine|firma|unternehmen|empresa|negocio|negócio|entreprise|association|asociación|associação|web ?auftritt|internetauftritt|web presence|aterrizaje|destino|vendas|atterrissage|home ?page|startseite|accueil|inicio/iu;
/** "De uma cafeteria" of "landing page de uma cafeteria". */
const OF = /^(?:d[eo]s?|da|du|einer?|for|für)(?: (?:uma?|une?|una))? /iu;
const NAME = "\\p{Lu}[\\p{L}\\d&'’-]*";
/** "…, the Rusty Anchor": a name beside what it names. */
const APPOSITION = new RegExp(
  `, (?:(?:[oa]|el|la|le|der|die|das|de) (?=\\p{Lu})|l['’])?((?:the )?${NAME}(?: (?:(?:d[aeo]|d[ao]s|del|du|des|la|le|of|the|zu[mr]?|am|&) ){0,2}${NAME})+)(?=[,.;\\n]|$)`,
  'u',
);

export const landing: Kind = {
  name: 'landing',
  layers: pageLayers('landing', []),
  accent: '#e4572e',
  words: [
    [
      "landing[- ]?pages?|landing ?site|splash page|página de (?:aterrizaje|destino|vendas)|landing de|page d[e’']atterrissage|coming soon page|launch page",
      6,
    ],
    [
      "home ?page|startseite|marketing (?:page|site)|product page|sales page|waitlist|page d[’']accueil|página de inicio",
      5,
    ],
    [
      '(?:startup|saas|company|business|agency|restaurants?|caf[eé]|cafeteria|coffee shop|bakery|gym|studio|hotel|boutique|brewery|salon|barber ?shop|charity|non-?profit|conference|festival|shop|store|florist|dentist|law firm|clinic|service|firma|unternehmen|verein|praxis|\\p{L}*bäckerei|\\p{L}*laden|panadería|restaurante|peluquería|tienda|empresa|boulangerie|salon de coiffure|entreprise|padaria|loja|clínica)(?: (?:web ?)?(?:site|page|webseite))',
      4,
    ],
    [`${SITE} (?:for|of|einer?|für|para|de|d[eo]s?|da|pour)(?! (?:a |an )?(?:student|photographer|illustrator))`, 4],
    [
      '(?:page|seite|página|web) (?:for (?:my|our)|für (?:mein|unser)\\p{L}*|(?:para|de) (?:mi|nuestr[oa]|[oa]? ?(?:meu|minha|noss[oa]))|pour (?:ma|mon|notre))',
      4,
    ],
    ['(?:for|of) (?:my|our) (?:new )?(?:startup|company|business|agency|shop|restaurant|bakery|salon|studio)', 3],
    ['site vitrine|web presence|internetauftritt|webauftritt', 5],
  ],
  fits: (brief) =>
    !isOccasion(brief) && !isSolemn(brief) && (OFFERED.test(brief.request) || tradeOf(brief.request) !== undefined),
  values({ name: stated, head, topic, request, text, lang, promptLang, pictures }: Brief, texts) {
    const own = toTitle(
      withoutRequest(withoutManner(head).replace(PAGE_WORDS, ' ').trim().replace(OF, '')),
      promptLang,
    );
    const [, beside = ''] = APPOSITION.exec(text) ?? [];
    const name = stated || (namesMonth(beside) ? '' : beside);
    const subject = toTitle(topic.replace(PAGE_WORDS, ' ').trim(), promptLang) || own;
    const title = name || subject || texts.yourProduct || '';
    const trade = tradeOf(request) ?? 'product';
    const sections = landingSections({ text, trade, texts, lang, promptLang });
    const first = String(sections[0]?.id ?? 'main');
    const lede = texts[`${trade}.lede`] ?? '';
    return {
      title,
      description: shorten(`${title}: ${lede}`, 155),
      kicker: [name && subject !== name ? subject : '', readPlace(text)].filter(Boolean).join(', '),
      headline: (texts[`${trade}.headline`] ?? '').replace('{name}', () => title),
      lede,
      action: texts[`${trade}.action`] ?? '',
      actionTarget: sections.some(({ id }) => id === 'contact') ? 'contact' : first,
      firstSection: first,
      photos: pictures.slice(0, 1),
      photographed: pictures.length > 0,
      drawn: pictures.length === 0,
      tiles: artwork(title, 5, 5),
      sections,
    };
  },
};
