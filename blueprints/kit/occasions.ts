import type { Brief } from './types.ts';
import { readWhen } from './when.ts';

const whole = (source: string) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu');

/** A regular expression source: what families, friends and clubs celebrate. */
export const OCCASIONS =
  '(?:get|getting) married|wir heiraten|nos casamos|on se marie|nous nous marions|vamos (?:nos )?casar|wedding(?: (?:day|party|anniversary))?|hochzeit(?:sfeier|stag)?|trauung|polterabend|boda|mariage|casamento|engagement party|verlobung\\p{L}*|baptism|christening|taufe|bautizo|baptême|bati[sz]ado|(?:first |holy )?communion|kommunion|konfirmation|(?:primera )?comunión|primeira comunhão|bar mitzvah|quinceañera|(?:\\p{L}+ )?birthday(?: party)?|geburtstag\\p{L}*|cumpleaños|anniversaire|aniversário|baby ?shower|graduation(?: party)?|abschlussfeier|graduación|formatura|retirement(?: party)?|ruhestand|jubilación|départ (?:à|en) la retraite|aposentadoria|farewell(?: party)?|abschiedsfeier|despedida|pot de départ|house-?warming(?: party)?|einweihungs\\p{L}+|pendaison de crémaillère|(?:family |class |school )?reunion|(?:familien|klassen)treffen|reencuentro|anniversary|jubiläum\\p{L}*|\\d+ (?:ans|años|anos) d[aeou]s?|(?:summer|garden|garten|sommer|grill|street|straßen)[- ]?(?:party|fest)|(?:school|summer|village|street|spring|christmas|church|club) (?:festival|fair|fête|fete|bazaar)|(?:schul|dorf|stadt|vereins|straßen|herbst|wein|kinder|familien|hof|weihnachts|sommer|garten)fest|barbecue|bbq|cookout|picnic|grill(?:en|abend)|potluck|housewarming|dinner party|game night|feier|fiesta|fête|festa|party';
const OCCASION = whole(OCCASIONS);
/** A text on occasions, or who lives on them: "a wedding photographer", "vestidos de boda". */
const TRADE = new RegExp(
  `(?:about|history of|über|sobre|acerca de|sur) (?!our |my |unser|mein|mi |nuestr|notre |mon |noss)(?:\\p{L}+ )?(?:${OCCASIONS})|(?:${OCCASIONS})s? (?:photo\\p{L}*|plann\\p{L}*|cakes?|dress\\p{L}*|venues?|shops?|bands?|djs?|florists?|business|agency|studio|services?|rentals?|company)|(?:fot[oó]gra\\p{L}+|photogra\\p{L}+|vestidos?|robes?|traiteur|bolos?|tartas?|agen\\p{L}+|organi\\p{L}+|decora\\p{L}+) (?:de|d['’]|para|pour)\\s?(?:${OCCASIONS})`,
  'iu',
);
/** An invitation would be out of place, as would be anything that is sold. */
const SOLEMN = whole(
  'funeral|memorial|in memory of|obituary|beerdigung|trauerfeier|traueranzeige|gedenk\\p{L}+|nachruf|obsèques|enterrement|entierro|velório|enterro|birth announcement|geburtsanzeige|(?:naissance|nacimiento|nascimento|geburt|birth)',
);
const UNTIL =
  /(?<!\p{L})(?:countdown|count(?:ing)? down|cuenta (?:atrás|regresiva)|compte à rebours|contagem regressiva)(?!\p{L})/iu;
const HOLIDAYS = whole('holidays?|vacation|urlaub|ferien|vacaciones|vacances|férias');

/** Whether a prompt is about an occasion of people: none that sells anything. */
export const isOccasion = ({ request }: Brief): boolean => OCCASION.test(request) && !TRADE.test(request);
/** Whether it is about a death or a birth. */
export const isSolemn = ({ request }: Brief): boolean => SOLEMN.test(request);
/** Whether a prompt wants the days until something counted, not minutes. */
export const isCountdown = (brief: Brief): boolean =>
  UNTIL.test(brief.request) && (!readWhen(brief.text).isSample || isOccasion(brief) || HOLIDAYS.test(brief.request));

const OWNER = /(?:\p{Lu}\p{L}+ )?\p{Lu}\p{L}+['’]s $/u;
const OF =
  /^(?: (?:d[aeo]|d[ao]s|del|du|des|of|von|vom|for|pour|para|für) (?:(?:my|our|mein\p{L}*|unser\p{L}*|mis?|mon|ma|notre|meu|minha) )?[^\s,.;:!?()]+(?: \p{Lu}[^\s,.;:!?()]*)*){1,3}/u;

/** Returns the phrase that names the occasion: "fiesta de jubilación de Carmen", "Bob's retirement party"; '' if none does. */
export function occasionIn(text: string): string {
  const found = OCCASION.exec(text);
  if (!found) return '';
  const owner = OWNER.exec(text.slice(Math.max(0, found.index - 60), found.index))?.[0] ?? '';
  const of = OF.exec(text.slice(found.index + found[0].length))?.[0] ?? '';
  return owner + found[0] + of;
}
