import { z } from 'zod/mini'
import { fixedErrors } from './fixed-errors.ts'

/**
 * Every error code of the API with its HTTP status and what users read: the server sends the text, and the web shows it
 * (but see `fixed-errors.ts`). The set is closed: an unlisted code does not compile.
 */
export const errors = {
  'request.invalid': [400, 'La richiesta non è valida. Ricarica la pagina e riprova.'],
  'request.too_large': [413, 'I dati inviati sono troppo grandi.'],
  'request.too_many': [429, 'Troppe richieste in poco tempo. Riprova tra un minuto.'],
  'session.missing': [401, fixedErrors['session.missing'].shown],
  'session.unknown_user': [401, fixedErrors['session.unknown_user'].shown],
  'session.second_factor_needed': [403, 'Per continuare serve il codice del secondo fattore.'],
  'session.enrolment_needed': [403, 'Per continuare attiva la verifica in due passaggi.'],
  'session.reauthentication_needed': [403, 'Per continuare accedi di nuovo con la tua password.'],
  'pharmacy.not_found': [404, fixedErrors['pharmacy.not_found'].shown],
  'pharmacies.not_found': [404, 'Farmacia non trovata'],
  'pharmacies.email_taken': [409, 'Questa email ha già un account'],
  'pharmacies.code_taken': [409, 'Questo codice è già stato usato'],
  'pharmacies.weak_password': [422, 'La password non rispetta i requisiti'],
  'pharmacies.bad_phone': [
    422,
    'Nessuno può chiamare questo numero: scrivilo intero, per esempio 041 520 1234.',
  ],
  'pharmacies.changed_meanwhile': [
    409,
    'Nel frattempo la farmacia è stata cambiata: controlla i valori e salva di nuovo. Le tue modifiche sono rimaste.',
  ],
  'pharmacies.orders_in_database': [
    409,
    'Gli ordini di questa farmacia sono nel database. Per tornare ad Airtable apri la migrazione degli ordini: prima le modifiche vanno in Airtable e tutto viene verificato.',
  ],
  'pharmacies.not_migrated': [
    409,
    'Gli ordini di questa farmacia sono ancora in Airtable. Per leggerli dal database apri la migrazione degli ordini: prima si migrano e si verificano.',
  ],
  'pharmacies.being_purged': [409, 'La farmacia è già in eliminazione definitiva.'],
  'pharmacies.wrong_code': [422, 'Il codice non corrisponde a quello della farmacia.'],
  'analytics.failed': [500, 'Errore nel caricamento analytics'],
  'analytics.too_many_notes': [409, 'Hai già 500 note: eliminane una per aggiungerne un’altra.'],
  'analytics.note_not_found': [404, 'Questa nota non c’è più.'],
  'pharmacy_imports.not_found': [404, "L'importazione non c'è più."],
  'pharmacy_imports.too_large': [413, 'Il file non deve superare i 2 MB: dividilo in più file.'],
  'pharmacy_imports.unreadable': [
    422,
    'Il file non è un CSV leggibile. In Excel scegli «Salva con nome» e il tipo «CSV UTF-8».',
  ],
  'pharmacy_imports.missing_columns': [
    422,
    'Nella prima riga del file non ci sono né «Codice» né «Email»: usa le intestazioni del modello.',
  ],
  'pharmacy_imports.too_many_columns': [
    422,
    'Nella prima riga del file ci sono più di 100 colonne: controlla i separatori.',
  ],
  'pharmacy_imports.too_many_rows': [422, 'Il file ha più di 5.000 righe: dividilo in più file.'],
  'pharmacy_imports.empty': [
    422,
    "Nel file non ci sono farmacie: sotto le intestazioni non c'è nulla.",
  ],
  'pharmacy_imports.started': [409, "L'importazione è già stata avviata."],
  'pharmacy_imports.other_running': [409, "C'è già un'importazione in corso: aspetta che finisca."],
  'migrations.not_found': [404, "La migrazione non c'è più."],
  'migrations.no_airtable': [409, 'La farmacia non ha una base e una tabella Airtable.'],
  'migrations.not_configured': [409, 'Sul server manca il token di Airtable.'],
  'migrations.other_running': [
    409,
    "Per questa farmacia c'è già un'operazione in corso: aspetta che finisca o interrompila.",
  ],
  'migrations.nothing_to_migrate': [
    409,
    'Nessuna farmacia con il backup attivo ha una base e una tabella Airtable.',
  ],
  'migrations.nothing_to_retry': [409, "Non c'è nulla da riprovare."],
  'migrations.nothing_to_restore': [409, "Non c'è nessun backup da ripristinare."],
  'migrations.phase_changed': [
    409,
    'Un altro amministratore ha già cambiato la fase: aggiorna e riprova.',
  ],
  'migrations.phase_refused': [
    409,
    'Le condizioni per passare a questa fase non sono soddisfatte.',
  ],
  'migrations.wrong_code': [422, 'Il codice non è quello della farmacia.'],
  'migrations.backup_in_use': [
    409,
    'Gli ordini della farmacia arrivano dal database: il backup non si può eliminare.',
  ],
  'plans.not_found': [404, 'Piano non trovato'],
  'plans.name_taken': [409, "C'è già un piano con questo nome"],
  'plans.in_use': [409, 'Impossibile eliminare il piano: è utilizzato da alcune farmacie'],
  'categories.not_found': [404, 'Categoria non trovata'],
  'categories.name_taken': [409, "C'è già una categoria con questo nome"],
  'categories.in_use': [409, 'Impossibile eliminare la categoria: ci sono offerte che la usano'],
  'settings.changed_meanwhile': [
    409,
    'Un altro amministratore ha cambiato questa impostazione nel frattempo: ricarica e riprova.',
  ],
  'services.too_many': [429, 'Hai chiesto troppe verifiche in poco tempo: riprova tra un minuto.'],
  'support.no_session': [403, 'La visita di assistenza è terminata'],
  'support.read_only': [403, 'Durante una visita di assistenza si può solo leggere.'],
  'support.administrator': [
    409,
    'Questa farmacia è di un amministratore: non può essere visitata.',
  ],
  'pharmacy.inactive': [403, 'La farmacia non è attiva.'],
  'pharmacy.not_named': [400, 'Scegli di quale farmacia vuoi gli ordini.'],
  'access.denied': [403, 'Non hai i permessi per questa operazione.'],
  'access.owners_only': [403, 'Solo i titolari della farmacia possono farlo.'],
  'account.session_not_found': [404, 'Questo dispositivo è già uscito.'],
  'colleagues.not_found': [404, 'Questa persona non è più tra i colleghi.'],
  'colleagues.too_many': [409, 'Hai già 30 colleghi: rimuovine uno per invitarne altri.'],
  'colleagues.address_taken': [
    409,
    'Questo indirizzo ha già un account Bancone: serve un altro indirizzo email.',
  ],
  'colleagues.not_invited': [409, "L'invito è già stato accettato."],
  'colleagues.name_is_own': [
    409,
    'Questa persona ha scelto il proprio nome: può cambiarlo solo lei.',
  ],
  'colleagues.too_many_mails': [
    429,
    'Hai inviato troppi inviti in poco tempo: riprova tra qualche minuto.',
  ],
  'route.not_found': [404, 'Questa funzione non esiste più. Ricarica la pagina.'],
  'orders.not_found': [404, "L'ordine non esiste più."],
  'orders.source_refused': [409, "Airtable ha rifiutato la modifica: l'ordine è rimasto com'era."],
  'orders.conflict': [
    409,
    "L'ordine è stato cambiato in Airtable nel frattempo: controlla lo stato e riprova.",
  ],
  'orders.changed_meanwhile': [
    409,
    "Nel frattempo qualcuno ha cambiato l'ordine: controlla lo stato e riprova.",
  ],
  'orders.lines_changed': [409, "L'ordine è cambiato: controlla le righe."],
  'orders.too_many_notes': [
    409,
    'Questo ordine ha già 50 note: eliminane una per aggiungerne altre.',
  ],
  'orders.note_not_found': [404, "La nota non c'è più."],
  'orders.key_reused': [
    422,
    'Questo ordine è già stato inviato con altri dati: ricarica la pagina.',
  ],
  'orders.being_made': [409, "L'ordine si sta ancora salvando: riprova tra qualche secondo."],
  'orders.number_taken': [409, "C'è già un ordine con questo numero."],
  'orders.not_on_airtable': [409, 'Gli ordini di questa farmacia non arrivano da Airtable.'],
  'orders.column_in_use': [
    422,
    'Ogni colonna deve avere un nome suo, che Bancone non usi già per altro, come «Stato» o «Cliente».',
  ],
  'orders.too_many': [429, 'Hai creato troppi ordini in poco tempo: riprova tra un minuto.'],
  'orders.customer_erased': [409, 'I dati del cliente sono già stati eliminati.'],
  'orders.already_held': [409, "Nel frattempo un collega ha già bloccato l'eliminazione."],
  'orders.held': [
    409,
    "L'eliminazione di questo ordine è bloccata: chiedi a un titolare di sbloccarla.",
  ],
  'orders.not_typed': [409, 'Si correggono ed eliminano qui solo gli ordini inseriti a mano.'],
  'orders.not_reached': [
    503,
    "Airtable non risponde: l'ordine non risulta cambiato. Riprova tra poco.",
  ],
  'order_retention.changed_meanwhile': [
    409,
    'La durata è cambiata nel frattempo: ora vedi quella attuale.',
  ],
  'views.not_found': [404, "La vista non c'è più."],
  'views.name_taken': [409, "C'è già una vista con questo nome: scegline un altro."],
  'views.too_many': [409, 'Hai già 30 viste salvate: eliminane una per aggiungerne altre.'],
  'reply_texts.not_found': [404, "Il testo non c'è più."],
  'reply_texts.too_many': [409, 'Hai già 20 testi: eliminane uno per aggiungerne altri.'],
  'exports.not_found': [404, "L'esportazione non c'è più: ricomincia."],
  'exports.taken': [409, "L'esportazione è già stata scaricata: ricomincia."],
  'exports.too_many': [429, 'Ci sono già troppe esportazioni in corso: aspetta che finiscano.'],
  'backups.not_configured': [409, 'Le copie di sicurezza non sono configurate'],
  'backups.key_unusable': [409, 'La chiave delle copie di sicurezza non si può leggere'],
  'backups.wrong_ending': [422, 'I caratteri non sono gli ultimi della chiave'],
  'customer_data.bad_phone': [
    422,
    'Scrivi un numero di telefono intero, per esempio 333 123 4567.',
  ],
  'customer_data.orders_held': [
    409,
    "L'eliminazione è bloccata per ordini di questo cliente: sbloccala nei loro dettagli e riprova.",
  ],
  'api_keys.not_found': [404, "La chiave non c'è più."],
  'api_keys.too_many': [409, 'Hai già 10 chiavi attive: revocane una per crearne altre.'],
  'images.too_large': [413, "L'immagine non deve superare i 5MB"],
  'images.not_a_picture': [415, 'Carica solo file immagine (JPG, PNG, WEBP)'],
  'images.too_wide': [422, "L'immagine è troppo grande: riducila e riprova."],
  'images.unreadable': [422, "L'immagine è rovinata o non si può leggere: provane un'altra."],
  'images.quota_reached': [
    409,
    'Lo spazio per le immagini della farmacia è finito: togli quelle che non servono, o riprova domani.',
  ],
  'images.too_many': [429, 'Hai inviato molte immagini in poco tempo: riprova tra qualche minuto.'],
  'images.host_failed': [502, "L'archivio delle immagini non risponde: riprova tra poco."],
  'images.not_reached': [422, "A questo indirizzo non c'è un'immagine che si possa usare."],
  'images.not_found': [404, "L'immagine non c'è più."],
  'images.in_use': [409, "L'immagine è ancora usata: toglila prima da dove si vede."],
  'product_images.not_found': [404, 'Immagine non trovata'],
  'product_images.not_configured': [
    409,
    'La ricerca delle immagini per codice non è attiva: carica tu una foto.',
  ],
  'product_images.failed': [502, "Non è stato possibile recuperare l'immagine: riprova tra poco."],
  'assistant.not_configured': [
    409,
    'la generazione con AI non è attiva. Chiedi a chi gestisce Bancone di configurarla.',
  ],
  'assistant.failed': [502, 'Errore API'],
  'assistant.timeout': [504, 'nessuna risposta entro 30 secondi.'],
  'assistant.unreachable': [502, 'il servizio non è raggiungibile. Riprova tra poco.'],
  'assistant.unreadable': [502, 'la risposta del servizio non è leggibile.'],
  'assistant.too_many': [429, 'troppe richieste in poco tempo. Riprova tra qualche minuto.'],
  'offers.not_found': [404, "L'offerta non c'è più."],
  'offers.changed_meanwhile': [
    409,
    "Nel frattempo qualcuno ha cambiato l'offerta: controlla com'è adesso e riprova.",
  ],
  'offers.price_above_list': [
    422,
    'Il prezzo in offerta non può essere maggiore del prezzo di listino',
  ],
  'offers.prior_above_list': [
    422,
    'Il prezzo più basso degli ultimi 30 giorni non può essere maggiore del prezzo di listino.',
  ],
  'offers.ends_too_early': [422, 'La data di fine non può precedere la data di inizio, né oggi.'],
  'offers.unknown_category': [422, "La categoria non c'è più: scegline un'altra."],
  'offers.wrong_code': [422, 'Per un medicinale serve un codice AIC valido: correggilo.'],
  'offers.code_missing': [
    422,
    "Per pubblicare un medicinale serve il codice AIC della confezione: scrivilo, o salva l'offerta come inattiva.",
  ],
  'offers.prescription': [
    422,
    'Questo medicinale richiede la ricetta: per legge non si può pubblicare. Puoi tenerlo come offerta inattiva.',
  ],
  'offers.not_authorised': [
    422,
    'Secondo il registro AIFA questa confezione non è più autorizzata: non si può pubblicare.',
  ],
  'offers.image_missing': [422, "Carica un'immagine per il prodotto"],
  'offers.limit_reached': [
    409,
    'Hai raggiunto il numero massimo di offerte attive: disattivane una, o salva questa come inattiva.',
  ],
  'offers.too_many': [409, 'Hai già 1.000 offerte: eliminane qualcuna per aggiungerne altre.'],
  'page_events.too_many': [429, 'Troppe richieste in poco tempo.'],
  'priority.not_found': [404, 'Il cliente non è più in elenco.'],
  'priority.changed_meanwhile': [409, 'Lo stato del cliente è già stato cambiato.'],
  'priority.no_such_change': [409, 'Questo cambio di stato non è possibile.'],
  'priority.too_many': [429, 'Troppi link in poco tempo. Riprova tra un minuto.'],
  'priority.too_many_displays': [
    409,
    'Hai già 10 schermi: eliminane uno per aggiungerne un altro.',
  ],
  'priority.display_not_found': [404, 'Questo schermo non è più collegato.'],
  'priority.pharmacy_not_found': [404, 'Farmacia non trovata'],
  'priority.feature_off': [403, 'Funzione non disponibile presso questa farmacia'],
  'priority.order_not_found': [404, 'Ordine non trovato'],
  'priority.not_matched': [
    404,
    'I dati non corrispondono. Vale il telefono che hai lasciato con l’ordine, anche se ora ne usi un altro: controlla il numero e le ultime quattro cifre, o chiedi al banco.',
  ],
  'priority.ended': [409, 'Questo accesso prioritario è concluso.'],
  'priority.cooling_down': [409, 'Hai già avvisato la farmacia da poco. Aspetta qualche minuto.'],
  'priority.closed': [409, 'La farmacia è chiusa in questo momento.'],
  'priority.too_many_requests': [429, 'Troppe richieste in poco tempo. Riprova tra un minuto.'],
  'whatsapp.not_configured': [409, 'WhatsApp non è configurato su questo server.'],
  'whatsapp.not_connected': [409, 'Nessun numero WhatsApp è collegato.'],
  'whatsapp.too_many': [429, 'Troppi tentativi in poco tempo. Riprova tra qualche minuto.'],
  'whatsapp.bad_signature': [401, 'La firma non è valida'],
  'airtable.bad_signature': [401, 'La firma non è valida'],
  'whatsapp.exchange_failed': [422, 'Errore nello scambio del token'],
  'whatsapp.token_refused': [
    422,
    'Verifica del token: Meta non lo accetta. Creane uno nuovo in Gestione attività e incollalo intero.',
  ],
  'whatsapp.permissions_missing': [
    422,
    'Verifica dei permessi: manca un permesso su WhatsApp. Ripeti il collegamento e lascia attivi tutti i permessi richiesti.',
  ],
  'whatsapp.account_missing': [
    422,
    "Ricerca dell'account: nessun account WhatsApp Business è stato condiviso con Bancone. Ripeti il collegamento e scegline uno.",
  ],
  'whatsapp.account_unreadable': [
    502,
    "Lettura dell'account WhatsApp Business: Meta non lo mostra. Controlla di averlo scelto nel collegamento e riprova.",
  ],
  'whatsapp.numbers_unreadable': [
    502,
    "Lettura dei numeri: Meta non mostra i numeri dell'account. Riprova tra qualche minuto.",
  ],
  'whatsapp.other_number': [
    409,
    'Il numero scelto è diverso da quello collegato. Scegli lo stesso numero, oppure prima scollega quello attuale.',
  ],
  'whatsapp.number_taken': [409, "Questo numero è già collegato a un'altra farmacia."],
  'whatsapp.messages_off': [409, 'I messaggi WhatsApp non sono attivi.'],
  'whatsapp.other_terms': [409, 'Il testo è cambiato. Ricarica la pagina e leggilo di nuovo.'],
  'whatsapp.unreachable': [409, "L'ordine non ha un numero di telefono valido."],
  'whatsapp.no_consent': [409, 'Il cliente non ha dato il consenso.'],
  'whatsapp.no_order_number': [409, "L'ordine non ha ancora un numero da indicare al cliente."],
  'whatsapp.reminded_twice': [409, 'Il cliente ha già ricevuto due promemoria di questo ordine.'],
  'whatsapp.notice_gone': [404, "L'avviso è già partito e non si può più annullare."],
  'whatsapp.window_closed': [
    409,
    "Sono passate più di 24 ore dall'ultimo messaggio del cliente, e WhatsApp non permette di rispondere.",
  ],
  'whatsapp.names_product': [
    422,
    'Il messaggio nomina qualcosa che è stato ordinato, o un medicinale. Toglilo e riprova.',
  ],
  'whatsapp.draft_not_found': [404, "L'ordine da WhatsApp non c'è più: è già stato gestito."],
  'notifications.not_subscribed': [
    404,
    'Questo dispositivo non è registrato per gli avvisi. Disattivali e attivali di nuovo.',
  ],
  'notifications.undeliverable': [
    502,
    "L'avviso non è arrivato al servizio del browser. Riprova tra poco.",
  ],
  'notifications.too_many': [429, 'Troppe richieste per gli avvisi. Riprova tra qualche minuto.'],
  'service.unavailable': [
    503,
    'Il servizio non è disponibile in questo momento. Riprova tra poco.',
  ],
  internal: [500, 'Si è verificato un errore imprevisto. Riprova più tardi.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type ErrorCode = keyof typeof errors

export const errorStatus = (code: ErrorCode): number => errors[code][0]

export const errorText = (code: ErrorCode): string => errors[code][1]

const texts: ReadonlyMap<string, string> = new Map(
  Object.entries(errors).map(([code, [, text]]) => [code, text]),
)

/** The text of a code, which may be one of another version: then the code itself. */
export const errorTextOf = (code: string): string => texts.get(code) ?? code

// Object.keys returns string[].
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

/**
 * The body of every error response of `/api`. `error` is a short text for people, `code` is for programs,
 * `requestId` identifies the request in the server's log.
 */
export const ErrorBody = z.object({
  error: z.string(),
  code: z.enum(codes),
  requestId: z.string(),
  /** Values that the text names, for example `{ limit: 10, used: 10 }`. */
  details: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
})
export type ErrorBody = z.infer<typeof ErrorBody>
