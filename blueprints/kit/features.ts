/** What prompts want a project to do, in their languages; `*` stands for the end of a word. */
const FEATURES = [
  'users?|it|must|should|can|supports?|uses?|allow*|add(?:ing|s)?|mark(?:ing|s)?|delet*|edit*|filter*|sav(?:e|es|ing)|persist*|stor(?:e|es|age)|responsive|dark|light|display*|include*|local ?storage|keyboard|drag*|ability|option*',
  'search*|sort(?:ing|able)?|exports?|imports?|print(?:ing|able)?|undo|history|stats|statisti*|charts?|graphs?|reminders?|notifi*|streaks?|progress|sounds?|animat*|offline|mobile|login|priorit*|tags?|labels?|categor*|due dates?|deadlines?|calendar|(?:high ?)?scores?|levels|leaderboard|buttons?|images|pictures|contact form|testimonials|pricing|totals?|colou?rs?|themes?|swim ?lanes|avatars|comments|attachments|swipe|arrow keys|big|large|smooth',
  'such(?:e|en|funktion)|sortier*|dunk(?:el|le)*|druck*|statistik*|diagramm*|grafik*|erinnerung*|benachricht*|fortschritt*|farb*|bilder|kategorien|serien|speicher*|zähl*|anzeig*|punktestand|fälligkeit*',
  'b[uú]s[qc]*|ordena*|oscur*|imprimir|estad[ií]sti*|gráfic*|recordatori*|notific*|rachas?|progreso|colores|imágenes|etiquetas|prioridad*|fechas|puntuaci*|niveles|modo|guardar',
  'recherche|tri|sombre|graphi*|rappels?|séries|progression|couleurs|étiquettes|échéances?|niveaux|mode|sauvegard*|enregistr*',
  'pesquisa*|escuro|lembretes?|sequências?|cores|etiquetas|prazos?|pontua*|níveis|salvar',
];
/** A few words before it: "a dark", "CSV". */
const BEFORE =
  '(?:an? |the |eine?[mnr]? |una? |une? |uma |\\p{L}+ (?=exports?|modes?|themes?|charts?|graphs?|form))?';
const FEATURE = new RegExp(`^${BEFORE}(?:${FEATURES.join('|').replaceAll('*', '\\p{L}*')})(?!\\p{L})`, 'iu');

/** Whether an entry of a list, such as "users can filter tasks", asks for a feature: it is not an entry of the project. */
export const isFeature = (entry: string): boolean => FEATURE.test(entry);
