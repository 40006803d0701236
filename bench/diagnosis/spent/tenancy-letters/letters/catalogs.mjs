const catalogs = {
  fr: {
    language: 'fr',
    texts: {
      greeting: 'Bonjour {tenant},',
      'reminder.rent': 'le loyer de {rent} pour {address} reste dû.',
      'deposit.amount': 'votre dépôt de {deposit} vous sera restitué.',
      'deposit.deadline': 'Le délai légal court à partir du {moved}.',
      'notice.received': 'nous avons bien reçu votre congé.',
      closing: 'Cordialement, {agent}',
    },
  },
  de: {
    language: 'de',
    texts: {
      greeting: 'Guten Tag {tenant},',
      'reminder.rent': 'die Miete von {rent} für {address} ist noch offen.',
      'notice.received': 'wir haben Ihre Kündigung erhalten.',
      closing: 'Freundliche Grüße, {agent}',
    },
  },
  pl: {
    language: 'pl',
    texts: {
      greeting: 'Dzień dobry {tenant},',
      'reminder.rent': 'czynsz {rent} za {address} nie został opłacony.',
      'notice.received': 'otrzymaliśmy wypowiedzenie.',
      closing: 'Z poważaniem, {agent}',
    },
  },
};

export function findCatalog(language) {
  return catalogs[language];
}

export function phrase(catalog, key) {
  const text = catalog.texts[key];
  if (text === undefined) throw new Error(`no text for ${key} in ${catalog.language}`);
  return text;
}
