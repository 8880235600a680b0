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
      'Hier kann jeder Seiten veröffentlichen. Melden Sie dem Betreiber dieses Dienstes eine Seite, die Schaden anrichtet.',
    page: 'Adresse der Seite',
    pageHint: 'Kopieren Sie sie aus der Adresszeile Ihres Browsers.',
    reason: 'Was ist das Problem?',
    reasons: {
      phishing: 'Sie gibt sich als jemand anderes aus, um an Passwörter, Kartennummern oder Geld zu kommen',
      malware: 'Sie bietet schädliche Software an',
      spam: 'Sie ist Spam',
      copyright: 'Sie verletzt ein Urheber- oder Markenrecht',
      other: 'Etwas anderes',
    },
    details: 'Was sollte der Betreiber wissen? (freiwillig)',
    detailsHint: 'Höchstens 1.000 Zeichen. Geben Sie hier nie Passwörter oder Kartennummern ein.',
    contact: 'Ihre E-Mail-Adresse (freiwillig)',
    contactHint: 'Nur, wenn der Betreiber Sie zu der Seite etwas fragen darf.',
    send: 'Meldung senden',
    orWrite: 'Sie können auch schreiben an',
    sent: 'Vielen Dank',
    thanks: 'Der Betreiber wird Ihre Meldung sehen.',
    number: 'Ihre Nummer ist',
    error: 'Fehler',
    refusals: {
      invalid:
        'Geben Sie die Adresse einer Seite dieses Dienstes an, und wählen Sie aus, was das Problem ist.',
      unknown: 'Unter dieser Adresse gibt es keine Seite. Prüfen Sie, ob sie vollständig ist.',
      gone: 'Diese Seite wurde gelöscht: Niemand kann sie mehr öffnen.',
      takenDown: 'Der Betreiber hat diese Seite bereits gesperrt.',
      foreign: 'Öffnen Sie das Formular auf dieser Seite, und senden Sie es von hier ab.',
      tooMany: 'Aus Ihrem Netz kamen zu viele Meldungen. Versuchen Sie es später noch einmal.',
      later: 'Die Meldung konnte nicht gespeichert werden. Versuchen Sie es in einer Minute noch einmal.',
    },
  },
  es: {
    title: 'Denunciar una página',
    intro:
      'Cualquiera puede publicar páginas aquí. Avise al operador de este servicio de una página que cause daño.',
    page: 'Dirección de la página',
    pageHint: 'Cópiela de la barra de direcciones de su navegador.',
    reason: '¿Cuál es el problema?',
    reasons: {
      phishing: 'Se hace pasar por otro para conseguir contraseñas, números de tarjeta o dinero',
      malware: 'Ofrece software dañino',
      spam: 'Es spam',
      copyright: 'Infringe derechos de autor o de marca',
      other: 'Otra cosa',
    },
    details: '¿Qué debería saber el operador? (opcional)',
    detailsHint: 'Como máximo 1000 caracteres. No escriba aquí contraseñas ni números de tarjeta.',
    contact: 'Su correo electrónico (opcional)',
    contactHint: 'Solo si el operador puede hacerle preguntas sobre la página.',
    send: 'Enviar la denuncia',
    orWrite: 'También puede escribir a',
    sent: 'Gracias',
    thanks: 'El operador verá su denuncia.',
    number: 'Su número es',
    error: 'Error',
    refusals: {
      invalid: 'Indique la dirección de una página de este servicio y elija cuál es el problema.',
      unknown: 'No hay ninguna página en esta dirección. Compruebe que está completa.',
      gone: 'Esta página se ha eliminado: nadie puede abrirla ya.',
      takenDown: 'El operador ya ha retirado esta página.',
      foreign: 'Abra el formulario en esta página y envíelo desde aquí.',
      tooMany: 'Se han enviado demasiadas denuncias desde su red. Inténtelo más tarde.',
      later: 'No se ha podido guardar la denuncia. Inténtelo de nuevo dentro de un minuto.',
    },
  },
  fr: {
    title: 'Signaler une page',
    intro:
      'Tout le monde peut publier des pages ici. Signalez à l’exploitant de ce service une page qui fait du tort.',
    page: 'Adresse de la page',
    pageHint: 'Copiez-la depuis la barre d’adresse de votre navigateur.',
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
    detailsHint: '1 000 caractères au plus. N’indiquez ici ni mot de passe ni numéro de carte.',
    contact: 'Votre adresse e-mail (facultatif)',
    contactHint: 'Seulement si l’exploitant peut vous poser des questions sur la page.',
    send: 'Envoyer le signalement',
    orWrite: 'Vous pouvez aussi écrire à',
    sent: 'Merci',
    thanks: 'L’exploitant verra votre signalement.',
    number: 'Son numéro est',
    error: 'Erreur',
    refusals: {
      invalid: 'Indiquez l’adresse d’une page de ce service, et choisissez quel est le problème.',
      unknown: 'Il n’y a pas de page à cette adresse. Vérifiez qu’elle est complète.',
      gone: 'Cette page a été supprimée : plus personne ne peut l’ouvrir.',
      takenDown: 'L’exploitant a déjà retiré cette page.',
      foreign: 'Ouvrez le formulaire sur cette page, et envoyez-le d’ici.',
      tooMany: 'Trop de signalements ont été envoyés depuis votre réseau. Réessayez plus tard.',
      later: 'Le signalement n’a pas pu être enregistré. Réessayez dans une minute.',
    },
  },
  pt: {
    title: 'Denunciar uma página',
    intro:
      'Qualquer pessoa pode publicar páginas aqui. Avise o operador deste serviço de uma página que causa danos.',
    page: 'Endereço da página',
    pageHint: 'Copie-o da barra de endereço do seu navegador.',
    reason: 'Qual é o problema?',
    reasons: {
      phishing: 'Faz-se passar por outra pessoa para obter senhas, números de cartão ou dinheiro',
      malware: 'Oferece software nocivo',
      spam: 'É spam',
      copyright: 'Viola um direito de autor ou uma marca',
      other: 'Outra coisa',
    },
    details: 'O que o operador deve saber? (opcional)',
    detailsHint: 'No máximo 1000 caracteres. Nunca escreva aqui senhas nem números de cartão.',
    contact: 'O seu e-mail (opcional)',
    contactHint: 'Só se o operador puder fazer-lhe perguntas sobre a página.',
    send: 'Enviar a denúncia',
    orWrite: 'Também pode escrever para',
    sent: 'Obrigado',
    thanks: 'O operador verá a sua denúncia.',
    number: 'O número dela é',
    error: 'Erro',
    refusals: {
      invalid: 'Indique o endereço de uma página deste serviço e escolha qual é o problema.',
      unknown: 'Não há nenhuma página neste endereço. Verifique se está completo.',
      gone: 'Esta página foi eliminada: ninguém a pode abrir.',
      takenDown: 'O operador já retirou esta página.',
      foreign: 'Abra o formulário nesta página e envie-o daqui.',
      tooMany: 'Foram enviadas demasiadas denúncias a partir da sua rede. Tente mais tarde.',
      later: 'Não foi possível guardar a denúncia. Tente de novo dentro de um minuto.',
    },
  },
};
