import type { ErrorCode } from './errors.ts'
import { fixedErrors } from './fixed-errors.ts'

/** What users read of an error. The server sends it with the code, and the web shows it (but see `fixed-errors.ts`). */
export const errorTexts: Readonly<Record<ErrorCode, string>> = {
  'session.missing': fixedErrors['session.missing'].shown,
  'session.unknown_user': fixedErrors['session.unknown_user'].shown,
  'pharmacy.not_found': fixedErrors['pharmacy.not_found'].shown,
  'request.invalid': 'La richiesta non è valida. Ricarica la pagina e riprova.',
  'request.too_large': 'I dati inviati sono troppo grandi.',
  'request.too_many': 'Troppe richieste in poco tempo. Riprova tra un minuto.',
  'session.second_factor_needed': 'Per continuare serve il codice del secondo fattore.',
  'session.enrolment_needed': 'Per continuare attiva la verifica in due passaggi.',
  'session.reauthentication_needed': 'Per continuare accedi di nuovo con la tua password.',
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
  'analytics.failed': 'Errore nel caricamento analytics',
  'analytics.too_many_notes': 'Hai già 500 note: eliminane una per aggiungerne un’altra.',
  'analytics.note_not_found': 'Questa nota non c’è più.',
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
  'orders.too_many': 'Hai creato troppi ordini in poco tempo: riprova tra un minuto.',
  'orders.customer_erased': 'I dati del cliente sono già stati eliminati.',
  'orders.already_held': "Nel frattempo un collega ha già bloccato l'eliminazione.",
  'orders.held': "L'eliminazione di questo ordine è bloccata: chiedi a un titolare di sbloccarla.",
  'orders.not_typed': 'Si correggono ed eliminano qui solo gli ordini inseriti a mano.',
  'orders.not_reached': "Airtable non risponde: l'ordine non risulta cambiato. Riprova tra poco.",
  'order_retention.changed_meanwhile':
    'La durata è cambiata nel frattempo: ora vedi quella attuale.',
  'views.not_found': "La vista non c'è più.",
  'views.name_taken': "C'è già una vista con questo nome: scegline un altro.",
  'views.too_many': 'Hai già 30 viste salvate: eliminane una per aggiungerne altre.',
  'reply_texts.not_found': "Il testo non c'è più.",
  'reply_texts.too_many': 'Hai già 20 testi: eliminane uno per aggiungerne altri.',
  'exports.not_found': "L'esportazione non c'è più: ricomincia.",
  'exports.taken': "L'esportazione è già stata scaricata: ricomincia.",
  'exports.too_many': 'Ci sono già troppe esportazioni in corso: aspetta che finiscano.',
  'backups.not_configured': 'Le copie di sicurezza non sono configurate',
  'backups.key_unusable': 'La chiave delle copie di sicurezza non si può leggere',
  'backups.wrong_ending': 'I caratteri non sono gli ultimi della chiave',
  'customer_data.bad_phone': 'Scrivi un numero di telefono intero, per esempio 333 123 4567.',
  'customer_data.orders_held':
    "L'eliminazione è bloccata per ordini di questo cliente: sbloccala nei loro dettagli e riprova.",
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
  'notifications.not_subscribed':
    'Questo dispositivo non è registrato per gli avvisi. Disattivali e attivali di nuovo.',
  'notifications.undeliverable':
    "L'avviso non è arrivato al servizio del browser. Riprova tra poco.",
  'notifications.too_many': 'Troppe richieste per gli avvisi. Riprova tra qualche minuto.',
  'service.unavailable': 'Il servizio non è disponibile in questo momento. Riprova tra poco.',
  internal: 'Si è verificato un errore imprevisto. Riprova più tardi.',
}

const byCode: ReadonlyMap<string, string> = new Map(Object.entries(errorTexts))

/** The text of a code, which may be one of another version: then the code itself. */
export const errorTextOf = (code: string): string => byCode.get(code) ?? code
