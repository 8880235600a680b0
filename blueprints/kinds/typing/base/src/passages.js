/** A text in place of the ones below, '' if there is none. */
export const own = '{{own}}';

export const passages = {
  en: [
    'The harbour wakes before the town does. Ropes creak, gulls argue over scraps, and somewhere a radio plays the weather. By six the first boats are back, and the smell of coffee drifts along the quay.',
    'A good map leaves things out. It shows the path but not the puddles, the hill but not how long it feels on a hot day. What is missing is left to the person who walks.',
    'My grandmother kept buttons in a tin that once held biscuits. Each had come off something: a coat, a uniform, a dress she danced in. She could tell you the story of nearly all of them.',
  ],
  de: [
    'Der Hafen wacht vor der Stadt auf. Taue knarren, Möwen streiten um Reste, und irgendwo läuft der Wetterbericht im Radio. Um sechs sind die ersten Boote zurück, und am Kai riecht es nach Kaffee.',
    'Eine gute Karte lässt vieles weg. Sie zeigt den Weg, aber nicht die Pfützen, den Hügel, aber nicht, wie lang er an einem heißen Tag wird. Was fehlt, bleibt dem überlassen, der geht.',
    'Meine Großmutter bewahrte Knöpfe in einer Dose auf, in der einmal Kekse waren. Jeder stammte von etwas: von einem Mantel, einer Uniform, einem Kleid zum Tanzen. Fast alle hatten eine Geschichte.',
  ],
  es: [
    'El puerto despierta antes que el pueblo. Crujen las cuerdas, las gaviotas discuten por las sobras y en algún lugar una radio da el tiempo. A las seis vuelven los primeros barcos y el muelle huele a café.',
    'Un buen mapa deja cosas fuera. Muestra el camino pero no los charcos, la colina pero no lo larga que se hace en un día de calor. Lo que falta queda para quien camina.',
    'Mi abuela guardaba botones en una lata que antes tuvo galletas. Cada uno venía de algo: un abrigo, un uniforme, un vestido de baile. De casi todos sabía contar la historia.',
  ],
  fr: [
    'Le port se réveille avant la ville. Les cordes grincent, les mouettes se disputent les restes et, quelque part, une radio donne la météo. À six heures, les premiers bateaux rentrent et le quai sent le café.',
    "Une bonne carte oublie des choses. Elle montre le chemin mais pas les flaques, la colline mais pas sa longueur un jour de chaleur. Ce qui manque revient à celui qui marche.",
    "Ma grand-mère gardait des boutons dans une vieille boîte à biscuits. Chacun venait de quelque part : un manteau, un uniforme, une robe de bal. De presque tous, elle savait raconter l'histoire.",
  ],
  pt: [
    'O porto acorda antes da cidade. As cordas rangem, as gaivotas brigam pelas sobras e em algum lugar um rádio dá a previsão do tempo. Às seis voltam os primeiros barcos, e o cais cheira a café.',
    'Um bom mapa deixa coisas de fora. Mostra o caminho, mas não as poças; a colina, mas não como ela parece longa num dia quente. O que falta fica para quem caminha.',
    'Minha avó guardava botões numa lata que já teve biscoitos. Cada um vinha de alguma coisa: um casaco, um uniforme, um vestido de dança. De quase todos ela sabia contar a história.',
  ],
};
