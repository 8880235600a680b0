import { texts } from './texts.js';

/** What a message may say, in the languages of this page, and the text that answers it. The first one counts. */
const RULES = [
  [/^(?:hi|hey|hello|hallo|guten (?:tag|morgen)|hola|salut|bonjour|ol[aá]|oi|bom dia)(?!\p{L})/iu, texts.hello],
  [/(?<!\p{L})(?:thanks?|thx|danke?|gracias|merci|obrigad[oa])(?!\p{L})/iu, texts.thanks],
  [/(?<!\p{L})(?:bye|see you|tschüss|bis bald|adi[oó]s|hasta|au revoir|tchau)(?!\p{L})/iu, texts.bye],
  [/\?\s*$/, texts.question],
];
const OTHERS = [texts.other1, texts.other2, texts.other3];

/** Returns the scripted answer to a message. Replace it with a call of your server. */
export const answerTo = (message, count) =>
  RULES.find(([pattern]) => pattern.test(message.trim()))?.[1] ?? OTHERS[count % OTHERS.length];
