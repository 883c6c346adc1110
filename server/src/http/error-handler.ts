import type { ErrorBody, ErrorCode } from '@bancone/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/app-error.ts'
import { isDatabaseUnavailable, isUnstorableText } from '../database/errors.ts'
import { logFailure } from '../platform/request-log.ts'
import { FileStoreError } from '../ports/file-store.ts'
import { PictureRendererError } from '../ports/picture-renderer.ts'

/** The field `error` of error responses, for programs and logs. The web has its own texts for users, by code. */
const text: Record<ErrorCode, string> = {
  'request.invalid': 'Richiesta non valida',
  'request.too_large': 'Richiesta troppo grande',
  'request.too_many': 'Troppe richieste non autorizzate: riprova tra poco',
  'session.missing': 'No active session',
  'session.unknown_user': 'User not authenticated',
  'session.second_factor_needed': 'Serve il codice del secondo fattore',
  'session.enrolment_needed': 'Serve un secondo fattore',
  'session.reauthentication_needed': "Serve una nuova conferma dell'identità",
  'pharmacies.not_found': 'Farmacia non trovata',
  'pharmacies.email_taken': 'Questa email ha già un account',
  'pharmacies.code_taken': 'Questo codice è già stato usato',
  'pharmacies.weak_password': 'La password non rispetta i requisiti',
  'pharmacies.bad_phone':
    'Nessuno può chiamare questo numero: scrivilo intero, per esempio 041 520 1234.',
  'pharmacies.changed_meanwhile':
    'Nel frattempo la farmacia è stata cambiata: controlla i valori e salva di nuovo. Le tue modifiche sono rimaste.',
  'pharmacies.orders_in_database':
    'Gli ordini di questa farmacia sono nel database. Per tornare ad Airtable apri la migrazione degli ordini: prima le modifiche vanno in Airtable e tutto viene verificato.',
  'pharmacies.not_migrated':
    'Gli ordini di questa farmacia sono ancora in Airtable. Per leggerli dal database apri la migrazione degli ordini: prima si migrano e si verificano.',
  'pharmacies.being_purged': 'La farmacia è già in eliminazione definitiva.',
  'pharmacies.wrong_code': 'Il codice non corrisponde a quello della farmacia.',
  'pharmacy_imports.not_found': "L'importazione non c'è più.",
  'pharmacy_imports.too_large': 'Il file non deve superare i 2 MB: dividilo in più file.',
  'pharmacy_imports.unreadable':
    'Il file non è un CSV leggibile. In Excel scegli «Salva con nome» e il tipo «CSV UTF-8».',
  'pharmacy_imports.missing_columns':
    'Nella prima riga del file non ci sono né «Codice» né «Email»: usa le intestazioni del modello.',
  'pharmacy_imports.too_many_columns':
    'Nella prima riga del file ci sono più di 100 colonne: controlla i separatori.',
  'pharmacy_imports.too_many_rows': 'Il file ha più di 5.000 righe: dividilo in più file.',
  'pharmacy_imports.empty': "Nel file non ci sono farmacie: sotto le intestazioni non c'è nulla.",
  'pharmacy_imports.started': "L'importazione è già stata avviata.",
  'pharmacy_imports.other_running': "C'è già un'importazione in corso: aspetta che finisca.",
  'migrations.not_found': "La migrazione non c'è più.",
  'migrations.no_airtable': 'La farmacia non ha una base e una tabella Airtable.',
  'migrations.not_configured': 'Sul server manca il token di Airtable.',
  'migrations.other_running':
    "Per questa farmacia c'è già un'operazione in corso: aspetta che finisca o interrompila.",
  'migrations.nothing_to_migrate':
    'Nessuna farmacia con il backup attivo ha una base e una tabella Airtable.',
  'migrations.nothing_to_retry': "Non c'è nulla da riprovare.",
  'migrations.nothing_to_restore': "Non c'è nessun backup da ripristinare.",
  'migrations.phase_changed':
    'Un altro amministratore ha già cambiato la fase: aggiorna e riprova.',
  'migrations.phase_refused': 'Le condizioni per passare a questa fase non sono soddisfatte.',
  'migrations.wrong_code': 'Il codice non è quello della farmacia.',
  'migrations.backup_in_use':
    'Gli ordini della farmacia arrivano dal database: il backup non si può eliminare.',
  'plans.not_found': 'Piano non trovato',
  'plans.name_taken': "C'è già un piano con questo nome",
  'plans.in_use': 'Impossibile eliminare il piano: è utilizzato da alcune farmacie',
  'categories.not_found': 'Categoria non trovata',
  'categories.name_taken': "C'è già una categoria con questo nome",
  'categories.in_use': 'Impossibile eliminare la categoria: ci sono offerte che la usano',
  'settings.changed_meanwhile':
    'Un altro amministratore ha cambiato questa impostazione nel frattempo: ricarica e riprova.',
  'services.too_many': 'Hai chiesto troppe verifiche in poco tempo: riprova tra un minuto.',
  'support.no_visit': 'La visita di assistenza è terminata',
  'support.read_only': 'Durante una visita di assistenza si può solo leggere.',
  'support.administrator': 'Questa farmacia è di un amministratore: non può essere visitata.',
  'pharmacy.not_found': 'Could not find pharmacy information',
  'pharmacy.inactive': 'Farmacia non attiva',
  'pharmacy.not_named': 'Indica la farmacia con pharmacyFilter',
  'access.denied': 'Accesso non consentito',
  'access.owners_only': 'Solo per i titolari della farmacia',
  'account.session_not_found': 'Accesso non trovato',
  'colleagues.not_found': 'Collega non trovato',
  'colleagues.too_many': 'Ci sono già troppi colleghi',
  'colleagues.address_taken': 'Questo indirizzo ha già un account',
  'colleagues.not_invited': "L'invito è già stato accettato",
  'colleagues.name_is_own': 'Questa persona ha scelto il proprio nome',
  'colleagues.too_many_mails': 'Troppi inviti in poco tempo: riprova più tardi',
  'route.not_found': 'Risorsa non trovata',
  'orders.not_found': 'Ordine non trovato',
  'orders.source_refused': "La modifica è stata rifiutata dall'archivio degli ordini",
  'orders.conflict': "L'ordine è stato cambiato nell'archivio degli ordini",
  'orders.changed_meanwhile': "L'ordine è stato cambiato nel frattempo",
  'orders.too_many_notes': "L'ordine ha già troppe note",
  'orders.note_not_found': 'Nota non trovata',
  'orders.key_reused': 'Questa Idempotency-Key è già stata usata per una richiesta diversa',
  'orders.being_made': 'Questa richiesta è già in corso: riprova tra poco',
  'orders.number_taken': "C'è già un ordine con questo numero",
  'orders.not_on_airtable': 'Gli ordini di questa farmacia non arrivano da Airtable',
  'orders.too_many': 'Troppi ordini in poco tempo: riprova più tardi',
  'orders.customer_erased': 'I dati del cliente sono già stati eliminati',
  'orders.held': "L'eliminazione di questo ordine è bloccata",
  'orders.not_typed': 'Si correggono ed eliminano solo gli ordini inseriti a mano',
  'orders.not_reached': "Airtable non risponde: l'ordine non è stato cambiato",
  'orders.already_held': "L'eliminazione è già bloccata, con un altro motivo",
  'order_retention.changed_meanwhile':
    'La durata è cambiata nel frattempo: ora vedi quella attuale.',
  'views.not_found': 'Vista non trovata',
  'views.name_taken': "C'è già una vista con questo nome",
  'views.too_many': 'Ci sono già troppe viste salvate',
  'reply_texts.not_found': 'Testo non trovato',
  'reply_texts.too_many': 'Ci sono già troppi testi',
  'exports.not_found': 'Esportazione non trovata',
  'exports.taken': 'Questa esportazione è già stata scaricata',
  'exports.too_many': 'Troppe esportazioni in corso',
  'backups.not_configured': 'Le copie di sicurezza non sono configurate',
  'backups.key_unusable': 'La chiave delle copie di sicurezza non si può leggere',
  'backups.wrong_ending': 'I caratteri non sono gli ultimi della chiave',
  'customer_data.bad_phone': 'Scrivi un numero di telefono intero, per esempio 333 123 4567.',
  'customer_data.orders_held':
    "L'eliminazione è bloccata per ordini di questo cliente: sbloccala nei loro dettagli e riprova.",
  'api_keys.not_found': 'Chiave non trovata',
  'api_keys.too_many': 'Ci sono già troppe chiavi',
  'images.too_large': "L'immagine non deve superare i 5MB",
  'images.not_a_picture': 'Carica solo file immagine (JPG, PNG, WEBP)',
  'images.too_wide': "L'immagine ha troppi pixel",
  'images.unreadable': "L'immagine non si può leggere",
  'images.quota_reached': 'Lo spazio per le immagini è finito',
  'images.too_many': 'Troppe immagini in poco tempo: riprova più tardi',
  'images.host_failed': "L'archivio delle immagini non risponde",
  'images.not_reached': "A questo indirizzo non c'è un'immagine",
  'images.not_found': 'Immagine non trovata',
  'images.in_use': "L'immagine è ancora in uso",
  'product_images.not_found': 'Immagine non trovata',
  'product_images.not_configured': 'La ricerca delle immagini non è configurata',
  'product_images.failed': "Errore nel recupero dell'immagine",
  'assistant.not_configured': 'La generazione con AI non è configurata',
  'assistant.failed': 'Errore API',
  'assistant.timeout': 'Nessuna risposta entro 30 secondi',
  'assistant.unreachable': 'Il servizio non è raggiungibile',
  'assistant.unreadable': 'La risposta non è leggibile',
  'assistant.too_many': 'Troppe richieste in poco tempo: riprova più tardi',
  'offers.not_found': 'Offerta non trovata',
  'offers.changed_meanwhile': "L'offerta è stata cambiata nel frattempo",
  'offers.price_above_list': 'Il prezzo in offerta non può essere maggiore del prezzo di listino',
  'offers.prior_above_list':
    'Il prezzo più basso dei 30 giorni non può essere maggiore del prezzo di listino',
  'offers.ends_too_early': 'La data di fine non può precedere la data di inizio, né oggi',
  'offers.unknown_category': 'Categoria non trovata',
  'offers.wrong_code': 'Il codice non è quello di un medicinale',
  'offers.code_missing': 'Per pubblicare un medicinale serve il suo codice AIC',
  'offers.prescription': 'Il medicinale richiede la ricetta: non si può pubblicare',
  'offers.not_authorised': 'Il medicinale non è autorizzato al commercio: non si può pubblicare',
  'offers.image_missing': "Carica un'immagine per il prodotto",
  'offers.limit_reached': 'Il numero massimo di offerte attive è raggiunto',
  'offers.too_many': 'Ci sono già troppe offerte',
  'visits.too_many': 'Troppe visite in poco tempo',
  'analytics.failed': 'Errore nel caricamento analytics',
  'analytics.too_many_notes': 'Hai già 500 note: eliminane una per aggiungerne un’altra.',
  'analytics.note_not_found': 'Questa nota non c’è più.',
  'priority.not_found': 'Il cliente non è più in elenco.',
  'priority.changed_meanwhile': 'Lo stato del cliente è già stato cambiato.',
  'priority.no_such_change': 'Questo cambio di stato non è possibile.',
  'priority.too_many': 'Troppi link in poco tempo. Riprova tra un minuto.',
  'priority.too_many_displays': 'Hai già 10 schermi: eliminane uno per aggiungerne un altro.',
  'priority.display_not_found': 'Questo schermo non è più collegato.',
  'priority.pharmacy_not_found': 'Farmacia non trovata',
  'priority.feature_off': 'Funzione non disponibile presso questa farmacia',
  'priority.order_not_found': 'Ordine non trovato',
  'priority.not_matched':
    'I dati non corrispondono. Vale il telefono che hai lasciato con l’ordine, anche se ora ne usi un altro: controlla il numero e le ultime quattro cifre, o chiedi al banco.',
  'priority.ended': 'Questo accesso prioritario è concluso.',
  'priority.cooling_down': 'Hai già avvisato la farmacia da poco. Aspetta qualche minuto.',
  'priority.closed': 'La farmacia è chiusa in questo momento.',
  'priority.too_many_requests': 'Troppe richieste in poco tempo. Riprova tra un minuto.',
  'whatsapp.not_configured': 'WhatsApp non è configurato su questo server.',
  'whatsapp.not_connected': 'Nessun numero WhatsApp è collegato.',
  'whatsapp.too_many': 'Troppi tentativi in poco tempo. Riprova tra qualche minuto.',
  'whatsapp.bad_signature': 'La firma non è valida',
  'airtable.bad_signature': 'La firma non è valida',
  'whatsapp.exchange_failed': 'Errore nello scambio del token',
  'whatsapp.token_refused':
    'Verifica del token: Meta non lo accetta. Creane uno nuovo in Gestione attività e incollalo intero.',
  'whatsapp.permissions_missing':
    'Verifica dei permessi: manca un permesso su WhatsApp. Ripeti il collegamento e lascia attivi tutti i permessi richiesti.',
  'whatsapp.account_missing':
    "Ricerca dell'account: nessun account WhatsApp Business è stato condiviso con Bancone. Ripeti il collegamento e scegline uno.",
  'whatsapp.account_unreadable':
    "Lettura dell'account WhatsApp Business: Meta non lo mostra. Controlla di averlo scelto nel collegamento e riprova.",
  'whatsapp.numbers_unreadable':
    "Lettura dei numeri: Meta non mostra i numeri dell'account. Riprova tra qualche minuto.",
  'whatsapp.other_number':
    'Il numero scelto è diverso da quello collegato. Scegli lo stesso numero, oppure prima scollega quello attuale.',
  'whatsapp.number_taken': "Questo numero è già collegato a un'altra farmacia.",
  'whatsapp.messages_off': 'I messaggi WhatsApp non sono attivi.',
  'whatsapp.other_terms': 'Il testo è cambiato. Ricarica la pagina e leggilo di nuovo.',
  'whatsapp.unreachable': "L'ordine non ha un numero di telefono valido.",
  'whatsapp.no_consent': 'Il cliente non ha dato il consenso.',
  'whatsapp.no_order_number': "L'ordine non ha ancora un numero da indicare al cliente.",
  'whatsapp.notice_gone': "L'avviso è già partito e non si può più annullare.",
  'whatsapp.window_closed':
    "Sono passate più di 24 ore dall'ultimo messaggio del cliente, e WhatsApp non permette di rispondere.",
  'whatsapp.names_product':
    'Il messaggio nomina qualcosa che è stato ordinato, o un medicinale. Toglilo e riprova.',
  'whatsapp.draft_not_found': "L'ordine da WhatsApp non c'è più: è già stato gestito.",
  'notifications.not_subscribed': 'Questo dispositivo non riceve notifiche',
  'notifications.undeliverable': 'La notifica non può essere consegnata',
  'notifications.too_many': 'Troppe richieste di notifica',
  'service.unavailable': 'Servizio momentaneamente non disponibile',
  internal: 'Errore interno',
}

/** The text of an error code. */
export function errorText(code: string): string | undefined {
  return new Map<string, string>(Object.entries(text)).get(code)
}

/** Converts every error of a route into its response. The response to an unexpected error contains no details. */
export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error)
    if (known.status >= 500) logFailure(request, error)
    return sendError(known, request, reply)
  })
}

export function errorBody(error: AppError, request: FastifyRequest): ErrorBody {
  const { code, details } = error
  return { error: error.text ?? text[code], code, requestId: request.id, details }
}

export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  const retryAfter = error.retryAfter ?? (error.status === 503 ? 2 : undefined)
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter))
  const body = errorBody(error, request)
  return reply.code(error.status).header('Cache-Control', 'no-store').send(body)
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isTransient(error)) return new AppError('service.unavailable', { cause: error })
  if (isUnstorableText(error)) return new AppError('request.invalid')
  if (error instanceof Error && 'statusCode' in error) {
    if (error.statusCode === 413) return new AppError('request.too_large')
    // Refused by Fastify before a handler runs: invalid JSON, an unknown media type, an invalid URL.
    if (typeof error.statusCode === 'number' && error.statusCode < 500) {
      return new AppError('request.invalid')
    }
  }
  return new AppError('internal', { cause: error })
}

/** Whether the same request may succeed later. */
function isTransient(error: unknown): boolean {
  return (
    error instanceof FileStoreError ||
    error instanceof PictureRendererError ||
    isDatabaseUnavailable(error) ||
    isDiskFull(error)
  )
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}
