/** The services of this server that the privacy policy names. */
export type NamedServices = { whatsApp: boolean; languageModel: boolean }

const WHATSAPP = `## WhatsApp e Meta

Se la farmacia usa WhatsApp, i messaggi tra la farmacia e il cliente passano da WhatsApp, un servizio di Meta Platforms Ireland Limited. Meta li trasporta secondo le proprie condizioni, sa chi li riceve e quando, e può trattare dati anche fuori dallo Spazio economico europeo con le garanzie degli articoli 44 e seguenti del GDPR.

Gli avvisi sugli ordini partono solo con il consenso del cliente (articolo 6, paragrafo 1, lettera a), che si revoca in qualsiasi momento rispondendo STOP. A chi ordina con un messaggio mentre la farmacia è chiusa può arrivare una risposta con l'orario di apertura, anche senza consenso, ma non dopo STOP. Un avviso contiene il numero dell'ordine, il nome della farmacia, un giorno o un orario e un link, mai che cosa è stato ordinato. I messaggi dei clienti che hanno un ordine, o ne chiedono uno, o hanno dato il consenso si conservano cifrati per 30 giorni; foto, documenti e audio non vengono scaricati.`

const LANGUAGE_MODEL = `## Modello linguistico

Per proporre i testi dei prodotti in offerta la piattaforma può inviare il nome e la categoria di un prodotto, con il codice della farmacia, a un servizio che usa un modello linguistico (intelligenza artificiale). Non gli arrivano dati di clienti né di ordini, e il personale della farmacia controlla ogni proposta prima di pubblicarla.`

/** What comes after them in the first version. */
const RIGHTS = '## Diritti'

/** @param first the version of the policy that every server begins with */
export function defaultPrivacyText(first: string, { whatsApp, languageModel }: NamedServices) {
  const sections = [...(whatsApp ? [WHATSAPP] : []), ...(languageModel ? [LANGUAGE_MODEL] : [])]
  return first.replace(RIGHTS, () => [...sections, RIGHTS].join('\n\n'))
}
