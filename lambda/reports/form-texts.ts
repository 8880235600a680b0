import type { ReportReason } from '../contract/reports.ts';

export const FORM_LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const;

export type FormLanguage = (typeof FORM_LANGUAGES)[number];

/** Why a report was not accepted, as the form explains it. */
export type Refusal = 'invalid' | 'unknown' | 'gone' | 'takenDown' | 'foreign' | 'tooMany' | 'later';

export interface FormTexts {
  readonly title: string;
  readonly intro: string;
  readonly page: string;
  readonly pageHint: string;
  readonly reason: string;
  readonly reasons: Readonly<Record<ReportReason, string>>;
  readonly details: string;
  readonly detailsHint: string;
  readonly contact: string;
  readonly contactHint: string;
  readonly send: string;
  /** Before the address of the operator. */
  readonly orWrite: string;
  readonly sent: string;
  readonly thanks: string;
  readonly number: string;
  /** Before the title of a page with an error. */
  readonly error: string;
  readonly refusals: Readonly<Record<Refusal, string>>;
}

/** They avoid forms of address: some readers expect *du*, some *Sie*. */
export const FORM_TEXTS: Readonly<Record<FormLanguage, FormTexts>> = {
  en: {
    title: 'Report a page',
    intro: 'Anyone can publish pages here. Tell the operator of this service about one that does harm.',
    page: 'Address of the page',
    pageHint: 'Copy it from the address bar of your browser.',
    reason: 'What is wrong with it?',
    reasons: {
      phishing: 'It imitates someone else to get passwords, card numbers or money',
      malware: 'It offers harmful software',
      spam: 'It is spam',
      copyright: 'It infringes a copyright or a trademark',
      other: 'Something else',
    },
    details: 'What should the operator know? (optional)',
    detailsHint: 'At most 1,000 characters. Never enter passwords or card numbers here.',
    contact: 'Your e-mail address (optional)',
    contactHint: 'Only if the operator may ask you about the page.',
    send: 'Send the report',
    orWrite: 'You can also write to',
    sent: 'Thank you',
    thanks: 'The operator will see your report.',
    number: 'Its number is',
    error: 'Error',
    refusals: {
      invalid: 'Enter the address of a page of this service, and choose what is wrong with it.',
      unknown: 'There is no page at this address. Check that it is complete.',
      gone: 'This page was deleted: nobody can open it any more.',
      takenDown: 'The operator has taken this page down already.',
      foreign: 'Open this form on this page, and send it from here.',
      tooMany: 'Too many reports were sent from your network. Try again later.',
      later: 'The report could not be stored. Try again in a minute.',
    },
  },
  de: {
    title: 'Seite melden',
    intro:
      'Hier kann jeder Seiten veröffentlichen. Eine Seite, die Schaden anrichtet, sollte der Betreiber dieses Dienstes kennen.',
    page: 'Adresse der Seite',
    pageHint: 'Sie steht in der Adresszeile des Browsers.',
    reason: 'Was ist das Problem?',
    reasons: {
      phishing: 'Sie gibt sich als jemand anderes aus, um an Passwörter, Kartennummern oder Geld zu kommen',
      malware: 'Sie bietet schädliche Software an',
      spam: 'Sie ist Spam',
      copyright: 'Sie verletzt ein Urheber- oder Markenrecht',
      other: 'Etwas anderes',
    },
    details: 'Was sollte der Betreiber wissen? (freiwillig)',
    detailsHint: 'Höchstens 1.000 Zeichen. Passwörter und Kartennummern gehören nie hierher.',
    contact: 'E-Mail-Adresse (freiwillig)',
    contactHint: 'Nur, wenn der Betreiber zu der Seite etwas fragen darf.',
    send: 'Meldung senden',
    orWrite: 'Auch möglich ist eine E-Mail an',
    sent: 'Vielen Dank',
    thanks: 'Der Betreiber wird die Meldung sehen.',
    number: 'Sie hat die Nummer',
    error: 'Fehler',
    refusals: {
      invalid: 'Es fehlt die Adresse einer Seite dieses Dienstes, oder was das Problem ist.',
      unknown: 'Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie nicht vollständig.',
      gone: 'Diese Seite wurde gelöscht: Niemand kann sie mehr öffnen.',
      takenDown: 'Der Betreiber hat diese Seite bereits gesperrt.',
      foreign: 'Das Formular wurde nicht von dieser Seite gesendet. Von hier aus geht es.',
      tooMany: 'Aus diesem Netz kamen zu viele Meldungen. Später geht es wieder.',
      later: 'Die Meldung konnte nicht gespeichert werden. In einer Minute geht es vielleicht wieder.',
    },
  },
  es: {
    title: 'Denunciar una página',
    intro: 'Cualquiera puede publicar páginas aquí. El operador de este servicio debería conocer las que causan daño.',
    page: 'Dirección de la página',
    pageHint: 'Está en la barra de direcciones del navegador.',
    reason: '¿Cuál es el problema?',
    reasons: {
      phishing: 'Se hace pasar por otro para conseguir contraseñas, números de tarjeta o dinero',
      malware: 'Ofrece software dañino',
      spam: 'Es spam',
      copyright: 'Infringe derechos de autor o de marca',
      other: 'Otra cosa',
    },
    details: '¿Qué debería saber el operador? (opcional)',
    detailsHint: 'Como máximo 1000 caracteres. Nunca escribir aquí contraseñas ni números de tarjeta.',
    contact: 'Correo electrónico (opcional)',
    contactHint: 'Solo si el operador puede hacer preguntas sobre la página.',
    send: 'Enviar la denuncia',
    orWrite: 'También es posible escribir a',
    sent: 'Gracias',
    thanks: 'El operador verá la denuncia.',
    number: 'Su número es',
    error: 'Error',
    refusals: {
      invalid: 'Falta la dirección de una página de este servicio, o cuál es el problema.',
      unknown: 'No hay ninguna página en esta dirección. Quizá no está completa.',
      gone: 'Esta página se ha eliminado: nadie puede abrirla ya.',
      takenDown: 'El operador ya ha retirado esta página.',
      foreign: 'El formulario no se envió desde esta página. Desde aquí es posible.',
      tooMany: 'Se han enviado demasiadas denuncias desde esta red. Más tarde será posible de nuevo.',
      later: 'No se ha podido guardar la denuncia. Quizá sea posible dentro de un minuto.',
    },
  },
  fr: {
    title: 'Signaler une page',
    intro:
      'Tout le monde peut publier des pages ici. L’exploitant de ce service devrait connaître celles qui font du tort.',
    page: 'Adresse de la page',
    pageHint: 'Elle se trouve dans la barre d’adresse du navigateur.',
    reason: 'Quel est le problème ?',
    reasons: {
      phishing:
        'Elle se fait passer pour quelqu’un d’autre pour obtenir des mots de passe, des numéros de carte ou de l’argent',
      malware: 'Elle propose un logiciel malveillant',
      spam: 'C’est du spam',
      copyright: 'Elle porte atteinte à un droit d’auteur ou à une marque',
      other: 'Autre chose',
    },
    details: 'Que doit savoir l’exploitant ? (facultatif)',
    detailsHint: '1 000 caractères au plus. Ne jamais indiquer ici de mot de passe ni de numéro de carte.',
    contact: 'Adresse e-mail (facultatif)',
    contactHint: 'Seulement si l’exploitant peut poser des questions sur la page.',
    send: 'Envoyer le signalement',
    orWrite: 'Il est aussi possible d’écrire à',
    sent: 'Merci',
    thanks: 'L’exploitant verra le signalement.',
    number: 'Son numéro est',
    error: 'Erreur',
    refusals: {
      invalid: 'Il manque l’adresse d’une page de ce service, ou quel est le problème.',
      unknown: 'Il n’y a pas de page à cette adresse. Elle n’est peut-être pas complète.',
      gone: 'Cette page a été supprimée : plus personne ne peut l’ouvrir.',
      takenDown: 'L’exploitant a déjà retiré cette page.',
      foreign: 'Le formulaire n’a pas été envoyé depuis cette page. D’ici, c’est possible.',
      tooMany: 'Trop de signalements ont été envoyés depuis ce réseau. Ce sera de nouveau possible plus tard.',
      later: 'Le signalement n’a pas pu être enregistré. Ce sera peut-être possible dans une minute.',
    },
  },
  pt: {
    title: 'Denunciar uma página',
    intro: 'Qualquer pessoa pode publicar páginas aqui. O operador deste serviço deveria conhecer as que causam danos.',
    page: 'Endereço da página',
    pageHint: 'Está na barra de endereço do navegador.',
    reason: 'Qual é o problema?',
    reasons: {
      phishing: 'Faz-se passar por outra pessoa para obter senhas, números de cartão ou dinheiro',
      malware: 'Oferece software nocivo',
      spam: 'É spam',
      copyright: 'Viola um direito de autor ou uma marca',
      other: 'Outra coisa',
    },
    details: 'O que o operador deve saber? (opcional)',
    detailsHint: 'No máximo 1000 caracteres. Nunca escrever aqui senhas nem números de cartão.',
    contact: 'E-mail (opcional)',
    contactHint: 'Só se o operador puder fazer perguntas sobre a página.',
    send: 'Enviar a denúncia',
    orWrite: 'Também é possível escrever para',
    sent: 'Obrigado',
    thanks: 'O operador verá a denúncia.',
    number: 'O número dela é',
    error: 'Erro',
    refusals: {
      invalid: 'Falta o endereço de uma página deste serviço, ou qual é o problema.',
      unknown: 'Não há nenhuma página neste endereço. Talvez não esteja completo.',
      gone: 'Esta página foi eliminada: ninguém a pode abrir.',
      takenDown: 'O operador já retirou esta página.',
      foreign: 'O formulário não foi enviado desta página. Daqui é possível.',
      tooMany: 'Foram enviadas demasiadas denúncias a partir desta rede. Mais tarde será possível de novo.',
      later: 'Não foi possível guardar a denúncia. Talvez seja possível dentro de um minuto.',
    },
  },
};
