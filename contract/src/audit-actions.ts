/** The actions in the audit log, with their names. A refused attempt has the name of what was attempted. */
export const auditActions = {
  // Administration
  pharmacy_created: 'Creazione farmacia',
  pharmacy_changed: 'Modifica farmacia',
  pharmacy_deleted: 'Eliminazione farmacia',
  profile_changed: 'Modifica profilo farmacia',
  pharmacy_restored: 'Ripristino farmacia',
  pharmacy_purged: 'Eliminazione definitiva farmacia',
  pharmacy_export_started: 'Esportazione farmacia',
  pharmacy_export_downloaded: 'Download esportazione farmacia',
  pharmacies_imported: 'Importazione farmacie',
  plan_created: 'Creazione piano',
  plan_changed: 'Modifica piano',
  plan_deleted: 'Eliminazione piano',
  category_created: 'Creazione categoria',
  category_changed: 'Modifica categoria',
  category_deleted: 'Eliminazione categoria',
  setting_changed: 'Modifica impostazioni',
  privacy_text_published: 'Pubblicazione informativa privacy',
  support_visit_started: 'Inizio visita di assistenza',
  support_visit_ended: 'Fine visita di assistenza',
  audit_downloaded: 'Download del registro',
  audit_chain_checked: 'Verifica del registro',
  audit_chain_broken: 'Registro alterato',
  user_created: 'Creazione account',
  user_changed: 'Modifica account',
  user_deleted: 'Eliminazione account',
  user_deleted_softly: 'Chiusura account',
  link_generated: 'Creazione link di accesso',
  product_image_removed: 'Rimozione immagine prodotto',
  orders_read_again: 'Rilettura ordini',
  files_administered: 'Gestione file',
  factor_removed_by_administrator: 'Rimozione secondo fattore da amministratore',
  // Pharmacies
  offer_created: 'Creazione offerta',
  offer_changed: 'Modifica offerta',
  offer_removed: 'Eliminazione offerta',
  offers_arranged: 'Ordinamento offerte',
  list_price_raised: 'Aumento prezzo di listino',
  orders_exported: 'Esportazione ordini',
  orders_read_by_administrator: 'Lettura ordini da amministratore',
  order_note_added: 'Aggiunta nota a un ordine',
  order_note_changed: 'Modifica nota di un ordine',
  order_note_removed: 'Eliminazione nota di un ordine',
  order_view_added: 'Creazione vista ordini',
  order_view_changed: 'Modifica vista ordini',
  order_view_removed: 'Eliminazione vista ordini',
  reply_text_added: 'Creazione testo di risposta',
  reply_text_changed: 'Modifica testo di risposta',
  reply_text_removed: 'Eliminazione testo di risposta',
  api_key_made: 'Creazione chiave API',
  api_key_revoked: 'Revoca chiave API',
  user_invited: 'Invito collega',
  user_renamed: 'Modifica nome collega',
  role_changed: 'Modifica ruolo collega',
  left_pharmacy: 'Rimozione collega',
  // Accounts
  signed_in: 'Accesso',
  sign_in_failed: 'Tentativo di accesso',
  signed_out: 'Uscita',
  session_ended: 'Disconnessione dispositivo',
  session_expired: 'Scadenza sessione',
  refresh_token_reused: 'Riuso di un token di sessione',
  password_changed: 'Modifica password',
  current_password_failed: 'Verifica password attuale',
  reauthentication_failed: 'Verifica codice di conferma',
  recovery_asked: 'Richiesta recupero password',
  sign_up_asked: 'Richiesta registrazione',
  link_used: 'Uso di un link',
  mail_sent: 'Invio email',
  email_change_asked: 'Richiesta cambio email',
  email_changed: 'Cambio email',
  factor_added: 'Aggiunta secondo fattore',
  factor_removed: 'Rimozione secondo fattore',
  factor_failed: 'Verifica secondo fattore',
  factor_passed: 'Verifica secondo fattore riuscita',
  recovery_codes_made: 'Creazione codici di recupero',
  recovery_code_used: 'Uso di un codice di recupero',
  identity_linked: 'Collegamento accesso esterno',
  identity_unlinked: 'Scollegamento accesso esterno',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions

const names: ReadonlyMap<string, string> = new Map(Object.entries(auditActions))

/** The name of an action; of one that older versions recorded, its id. */
export function auditActionName(action: string): string {
  return names.get(action) ?? action
}

/** The names of recorded fields and values that are no words of their own. */
const fieldNames: ReadonlyMap<string, string> = new Map([
  ['name', 'Nome'],
  ['description', 'Descrizione'],
  ['title', 'Titolo'],
  ['text', 'Testo'],
  ['search', 'Ricerca'],
  ['email', 'Email'],
  ['phone', 'Telefono'],
  ['address', 'Indirizzo'],
  ['password', 'Password'],
  ['price', 'Prezzo'],
  ['max_offers', 'Numero massimo di offerte'],
  ['features', 'Funzionalità'],
  ['features_enabled', 'Funzionalità'],
  ['is_active', 'Attiva'],
  ['logo_url', 'Logo'],
  ['subscription_plan_id', 'Piano'],
  ['plan_valid_until', 'Scadenza del piano'],
  ['airtable_base_id', 'Base Airtable'],
  ['airtable_table_id', 'Tabella Airtable'],
  ['use_supabase_orders', 'Ordini dal database'],
  ['pharmacy_id', 'Codice'],
  ['regulatory_class', 'Classe'],
  ['URL_Immagine', 'Immagine'],
  ['CloudinaryID', "Codice dell'immagine"],
  ['from', 'Da'],
  ['to', 'A'],
  ['orders', 'Ordini'],
  ['offers', 'Offerte'],
  ['events', 'Voci'],
  ['event', 'Voce'],
  ['format', 'Formato'],
  ['fields', 'Campi'],
  ['call', 'Chiamata'],
  ['bucket', 'Archivio'],
  ['withKey', 'Con la chiave del server'],
  ['method', 'Metodo'],
  ['kind', 'Tipo'],
  ['provider', 'Servizio'],
  ['scope', 'Dispositivi'],
  ['reason', 'Motivo'],
  ['type', 'Tipo'],
  ['sessions', 'Sessioni'],
  ['offerId', 'Offerta'],
  ['keyId', 'Chiave'],
  ['visitId', 'Visita'],
  ['deleted_at', 'Eliminata il'],
  ['brandColor', 'Colore'],
  ['openingWeek', 'Orari di apertura'],
  ['closings', 'Chiusure'],
  ['mapUrl', 'Link alla mappa'],
  ['logoUrl', 'Logo'],
  ['whatsapp', 'WhatsApp'],
  ['hours', 'Orari'],
  ['severity', 'Importanza'],
  ['until', 'Fino a'],
  ['maxOffers', 'Numero massimo di offerte'],
  ['removedOrderDays', 'Storia e note degli ordini eliminati (giorni)'],
  ['visitDays', 'Visite alle pagine delle offerte (giorni)'],
  ['code', 'Codice'],
  ['step', 'Fase'],
  ['new', 'Nuove'],
  ['changed', 'Cambiate'],
  ['same', 'Uguali'],
  ['refused', 'Rifiutate'],
])

/** The names of the steps of an import. */
const stepNames: ReadonlyMap<string, string> = new Map([
  ['started', 'Avvio'],
  ['done', 'Fine'],
  ['cancelled', 'Interruzione'],
])

/** The name of a recorded field; of one without a name, its id in words. */
export function auditFieldName(field: string): string {
  return fieldNames.get(field) ?? field.replaceAll('_', ' ')
}

/** A recorded detail in words. */
export function auditDetailText({ name, value }: { name: string; value: string }) {
  return {
    name: auditFieldName(name),
    value: name === 'step' ? (stepNames.get(value) ?? value) : value,
  }
}

/** The names of the roles in the audit log. */
export const auditRoleNames = {
  admin: 'Amministratore',
  owner: 'Titolare',
  staff: 'Collaboratore',
  key: 'Chiave API',
  system: 'Sistema',
} as const
