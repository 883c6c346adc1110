import type { ErrorCode, ServerTextCode } from '@bancone/contract/errors'
import { sessionEnded, setErrorTexts, unavailable, unforeseen } from './common-texts.ts'

/**
 * Italian messages by error code of the API. Administrators read the server's texts of their own codes.
 *
 * The first error loads this table; what needs a text without one imports it.
 */
export const errorTexts: Record<Exclude<ErrorCode, ServerTextCode>, string> = {
  'request.invalid': 'La richiesta non è valida. Ricarica la pagina e riprova.',
  'request.too_large': 'I dati inviati sono troppo grandi.',
  'request.too_many': 'Troppe richieste in poco tempo. Riprova tra un minuto.',
  'session.missing': sessionEnded,
  'session.unknown_user':
    'Il tuo account è stato chiuso. Se è un errore, chiedi a chi ti ha dato accesso.',
  'session.second_factor_needed': 'Per continuare serve il codice del secondo fattore.',
  'session.enrolment_needed': 'Per continuare attiva la verifica in due passaggi.',
  'session.reauthentication_needed': 'Per continuare accedi di nuovo con la tua password.',
  'pharmacy.not_found': 'A questo accesso non corrisponde nessuna farmacia.',
  'pharmacy.inactive': 'La farmacia non è attiva.',
  'pharmacy.not_named': 'Scegli di quale farmacia vuoi gli ordini.',
  'access.denied': 'Non hai i permessi per questa operazione.',
  'access.owners_only': 'Solo i titolari della farmacia possono farlo.',
  'account.session_not_found': 'Questo dispositivo è già uscito.',
  'colleagues.not_found': 'Questa persona non è più tra i colleghi.',
  'colleagues.too_many': 'Hai già 30 colleghi: rimuovine uno per invitarne altri.',
  'colleagues.address_taken':
    'Questo indirizzo ha già un account Bancone: serve un altro indirizzo email.',
  'colleagues.not_invited': "L'invito è già stato accettato.",
  'colleagues.name_is_own': 'Questa persona ha scelto il proprio nome: può cambiarlo solo lei.',
  'colleagues.too_many_mails':
    'Hai inviato troppi inviti in poco tempo: riprova tra qualche minuto.',
  'route.not_found': 'Questa funzione non esiste più. Ricarica la pagina.',
  'orders.not_found': "L'ordine non esiste più.",
  'orders.source_refused': "Airtable ha rifiutato la modifica: l'ordine è rimasto com'era.",
  'orders.conflict':
    "L'ordine è stato cambiato in Airtable nel frattempo: controlla lo stato e riprova.",
  'orders.changed_meanwhile':
    "Nel frattempo qualcuno ha cambiato l'ordine: controlla lo stato e riprova.",
  'orders.too_many_notes': 'Questo ordine ha già 50 note: eliminane una per aggiungerne altre.',
  'orders.note_not_found': "La nota non c'è più.",
  'orders.key_reused': 'Questo ordine è già stato inviato con altri dati: ricarica la pagina.',
  'orders.being_made': "L'ordine si sta ancora salvando: riprova tra qualche secondo.",
  'orders.number_taken': "C'è già un ordine con questo numero.",
  'orders.not_on_airtable': 'Gli ordini di questa farmacia non arrivano da Airtable.',
  'orders.customer_erased': 'I dati del cliente sono già stati eliminati.',
  'orders.held': "L'eliminazione di questo ordine è bloccata: chiedi a un titolare di sbloccarla.",
  'orders.not_typed': 'Si correggono ed eliminano qui solo gli ordini inseriti a mano.',
  'orders.not_reached': "Airtable non risponde: l'ordine non risulta cambiato. Riprova tra poco.",
  'orders.already_held': "Nel frattempo un collega ha già bloccato l'eliminazione.",
  'orders.too_many': 'Hai creato troppi ordini in poco tempo: riprova tra un minuto.',
  'views.not_found': "La vista non c'è più.",
  'views.name_taken': "C'è già una vista con questo nome: scegline un altro.",
  'views.too_many': 'Hai già 30 viste salvate: eliminane una per aggiungerne altre.',
  'reply_texts.not_found': "Il testo non c'è più.",
  'reply_texts.too_many': 'Hai già 20 testi: eliminane uno per aggiungerne altri.',
  'exports.not_found': "L'esportazione non c'è più: ricomincia.",
  'exports.taken': "L'esportazione è già stata scaricata: ricomincia.",
  'exports.too_many': 'Ci sono già troppe esportazioni in corso: aspetta che finiscano.',
  'api_keys.not_found': "La chiave non c'è più.",
  'api_keys.too_many': 'Hai già 10 chiavi attive: revocane una per crearne altre.',
  'images.too_large': "L'immagine non deve superare i 5MB",
  'images.not_a_picture': 'Carica solo file immagine (JPG, PNG, WEBP)',
  'images.too_wide': "L'immagine è troppo grande: riducila e riprova.",
  'images.unreadable': "L'immagine è rovinata o non si può leggere: provane un'altra.",
  'images.quota_reached':
    'Lo spazio per le immagini della farmacia è finito: togli quelle che non servono, o riprova domani.',
  'images.too_many': 'Hai inviato molte immagini in poco tempo: riprova tra qualche minuto.',
  'images.host_failed': "L'archivio delle immagini non risponde: riprova tra poco.",
  'images.not_reached': "A questo indirizzo non c'è un'immagine che si possa usare.",
  'images.not_found': "L'immagine non c'è più.",
  'images.in_use': "L'immagine è ancora usata: toglila prima da dove si vede.",
  'product_images.not_found': 'Immagine non trovata',
  'product_images.not_configured':
    'La ricerca delle immagini per codice non è attiva: carica tu una foto.',
  'product_images.failed': "Non è stato possibile recuperare l'immagine: riprova tra poco.",
  'assistant.not_configured':
    'la generazione con AI non è attiva. Chiedi a chi gestisce Bancone di configurarla.',
  'assistant.failed': 'Errore API',
  'assistant.timeout': 'nessuna risposta entro 30 secondi.',
  'assistant.unreachable': 'il servizio non è raggiungibile. Riprova tra poco.',
  'assistant.unreadable': 'la risposta del servizio non è leggibile.',
  'assistant.too_many': 'troppe richieste in poco tempo. Riprova tra qualche minuto.',
  'offers.not_found': "L'offerta non c'è più.",
  'offers.changed_meanwhile':
    "Nel frattempo qualcuno ha cambiato l'offerta: controlla com'è adesso e riprova.",
  'offers.price_above_list': 'Il prezzo in offerta non può essere maggiore del prezzo di listino',
  'offers.prior_above_list':
    'Il prezzo più basso degli ultimi 30 giorni non può essere maggiore del prezzo di listino.',
  'offers.ends_too_early': 'La data di fine non può precedere la data di inizio, né oggi.',
  'offers.unknown_category': "La categoria non c'è più: scegline un'altra.",
  'offers.wrong_code': 'Per un medicinale serve un codice AIC valido: correggilo.',
  'offers.code_missing':
    "Per pubblicare un medicinale serve il codice AIC della confezione: scrivilo, o salva l'offerta come inattiva.",
  'offers.prescription':
    'Questo medicinale richiede la ricetta: per legge non si può pubblicare. Puoi tenerlo come offerta inattiva.',
  'offers.not_authorised':
    'Secondo il registro AIFA questa confezione non è più autorizzata: non si può pubblicare.',
  'offers.image_missing': "Carica un'immagine per il prodotto",
  'offers.limit_reached':
    'Hai raggiunto il numero massimo di offerte attive: disattivane una, o salva questa come inattiva.',
  'offers.too_many': 'Hai già 1.000 offerte: eliminane qualcuna per aggiungerne altre.',
  'visits.too_many': 'Troppe richieste in poco tempo.',
  'notifications.not_subscribed':
    'Questo dispositivo non è registrato per gli avvisi. Disattivali e attivali di nuovo.',
  'notifications.undeliverable':
    "L'avviso non è arrivato al servizio del browser. Riprova tra poco.",
  'notifications.too_many': 'Troppe richieste per gli avvisi. Riprova tra qualche minuto.',
  'service.unavailable': unavailable,
  internal: unforeseen,
}

setErrorTexts(errorTexts)
