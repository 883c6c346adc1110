/** What an owner accepts before messages are sent. Another text needs another version, which has to be accepted anew. */
export const whatsAppTerms = {
  version: 3,
  paragraphs: [
    'Titolare del trattamento è la farmacia, anche per i dati sulla salute che i clienti le scrivono: Bancone li tratta per suo conto. Bancone invia i messaggi con il numero e l’account WhatsApp Business della farmacia. Meta li trasporta secondo le proprie condizioni, e sa chi li riceve e quando.',
    'Bancone avvisa solo i clienti che hanno dato il consenso, al banco o con un proprio messaggio. A chi ordina con un messaggio mentre la farmacia è chiusa può rispondere anche senza, una volta sola, per dire quando apre. Chi scrive «stop», «basta» o «annulla» non riceve più avvisi.',
    'Un avviso contiene il numero dell’ordine, il nome della farmacia, un giorno o un orario e un link alla sua pagina. Non contiene mai che cosa è stato ordinato, né immagini. Nelle risposte scritte a mano vale la stessa regola.',
    'Un ordine che contiene, o potrebbe contenere, medicinali o dispositivi medici non viene mai annunciato da solo: decide ogni volta la farmacia. Le regole di Meta sui prodotti vietati valgono anche per gli avvisi.',
    'Quello che i clienti scrivono può riguardare la salute. Bancone conserva cifrati per 30 giorni i messaggi di chi ha un ordine o ha dato il consenso, e non scarica foto, documenti o audio. Di una ricetta bastano il numero (NRE) e il codice fiscale: foto e documenti non vanno chiesti.',
    'Gli avvisi partono tra le 8:00 e le 20:30, se la farmacia non decide altrimenti. Si fermano se Meta limita il numero o ne giudica bassa la qualità. I messaggi costano, e li addebita Meta alla farmacia: i modelli sempre, i testi liberi oltre i primi 1.000 di ogni mese. La farmacia può fissare un limite oltre il quale niente parte da solo.',
  ],
} as const

export const whatsAppTermsText = whatsAppTerms.paragraphs.join('\n\n')

/** What the staff ask a customer at the counter. Another text needs another version. */
export const consentWording = { version: 1 } as const

/** @param pharmacy the name of the pharmacy */
export function consentQuestion(pharmacy: string): string {
  return `Vuole che ${pharmacy} Le scriva su WhatsApp, a questo numero, quando i Suoi ordini sono pronti? Può smettere quando vuole rispondendo STOP.`
}
